// Draws media/icon.png: a lens over the blocks of a memory pool. No picture library: shapes are
// sampled, and the PNG is written with zlib. Usage: node scripts/icon.mjs

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';

const size = 256;
/** Samples per pixel and direction. */
const samples = 4;

const colours = {
  ground: [24, 29, 46],
  free: [58, 68, 102],
  used: [86, 156, 214],
  usedSeen: [126, 211, 255],
  freeSeen: [92, 108, 158],
  glass: [36, 45, 72],
  rim: [244, 196, 92],
  none: undefined,
};

const lens = { x: 108, y: 108, radius: 66, rim: 11 };
const handle = { from: [161, 161], to: [218, 218], width: 15 };

/** A grid of blocks; those of the first rows are in use. */
function block(x, y, pitch, gap, origin) {
  const column = Math.floor((x - origin) / pitch);
  const row = Math.floor((y - origin) / pitch);
  const insideX = x - origin - column * pitch;
  const insideY = y - origin - row * pitch;
  const isBlock = insideX >= gap && insideY >= gap;
  return isBlock ? { column, row } : undefined;
}

function isUsed({ column, row }) {
  return row < 2 || (row === 2 && column < 3);
}

function distanceToSegment(x, y, [ax, ay], [bx, by]) {
  const length = (bx - ax) ** 2 + (by - ay) ** 2;
  const at = Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length));
  return Math.hypot(x - ax - at * (bx - ax), y - ay - at * (by - ay));
}

function isInGround(x, y) {
  const radius = 44;
  const nearX = Math.min(Math.max(x, radius), size - radius);
  const nearY = Math.min(Math.max(y, radius), size - radius);
  return Math.hypot(x - nearX, y - nearY) <= radius;
}

function colourAt(x, y) {
  if (!isInGround(x, y)) return colours.none;
  const fromCentre = Math.hypot(x - lens.x, y - lens.y);
  if (Math.abs(fromCentre - lens.radius) <= lens.rim / 2) return colours.rim;
  if (fromCentre < lens.radius) {
    const seen = block(x, y, 43, 9, 22);
    if (!seen) return colours.glass;
    return isUsed(seen) ? colours.usedSeen : colours.freeSeen;
  }
  if (distanceToSegment(x, y, handle.from, handle.to) <= handle.width / 2) return colours.rim;
  const under = block(x, y, 43, 13, 20);
  const isInGrid =
    under && under.column >= 0 && under.column < 5 && under.row >= 0 && under.row < 5;
  if (!isInGrid) return colours.ground;
  return isUsed(under) ? colours.used : colours.free;
}

function pixels() {
  const rows = Buffer.alloc(size * (1 + size * 4));
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const sum = [0, 0, 0];
      let covered = 0;
      for (let at = 0; at < samples * samples; at += 1) {
        const sampleX = x + ((at % samples) + 0.5) / samples;
        const sampleY = y + (Math.floor(at / samples) + 0.5) / samples;
        const colour = colourAt(sampleX, sampleY);
        if (colour === undefined) continue;
        covered += 1;
        colour.forEach((value, channel) => (sum[channel] += value));
      }
      const offset = y * (1 + size * 4) + 1 + x * 4;
      sum.forEach((value, channel) => {
        rows[offset + channel] = covered === 0 ? 0 : Math.round(value / covered);
      });
      rows[offset + 3] = Math.round((255 * covered) / samples ** 2);
    }
  }
  return rows;
}

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

const header = Buffer.alloc(13);
header.writeUInt32BE(size, 0);
header.writeUInt32BE(size, 4);
// Eight bits a channel, red green blue alpha.
header.set([8, 6, 0, 0, 0], 8);

const file = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', 'media', 'icon.png');
await writeFile(
  file,
  Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels(), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]),
);
