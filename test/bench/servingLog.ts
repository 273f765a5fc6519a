/** Makes a long server log: one start-up, then mostly decode lines, as a week of serving leaves it. */
import { closeSync, openSync, writeSync } from 'node:fs';

/** Shares of lines in a long log (design section 7): 78 % decode, the rest access lines and prefill. */
const lineKinds = [
  ...Array<string>(78).fill('decode'),
  ...Array<string>(14).fill('access'),
  ...Array<string>(8).fill('prefill'),
];

/** Writes about `sizeBytes` to `path`, after `startUp` (the text of a start-up). */
export function writeServingLog(path: string, startUp: string, sizeBytes: number): void {
  const file = openSync(path, 'w');
  let written = writeSync(file, startUp);
  let step = 0;
  while (written < sizeBytes) {
    const lines: string[] = [];
    for (let count = 0; count < 20_000; count++) {
      lines.push(servingLine(step++));
    }
    written += writeSync(file, lines.join(''));
  }
  closeSync(file);
}

/** The line of a step: a batch line or an access line. */
export function servingLine(step: number): string {
  const seconds = String(step % 60).padStart(2, '0');
  const minutes = String(Math.floor(step / 60) % 60).padStart(2, '0');
  const stamp = `[2026-02-27 11:${minutes}:${seconds} TP0]`;
  const tokens = 1000 + ((step * 37) % 150_000);
  const usage = (tokens / 159_287).toFixed(2);
  switch (lineKinds[step % lineKinds.length]) {
    case 'access':
      return `[2026-02-27 11:${minutes}:${seconds}] INFO:     127.0.0.1:${40000 + (step % 20000)} - "POST /v1/chat/completions HTTP/1.1" 200 OK\n`;
    case 'prefill':
      return `${stamp} Prefill batch, #new-seq: 1, #new-token: ${step % 8192}, #cached-token: 0, token usage: ${usage}, #running-req: 3, #queue-req: 0, \n`;
    default:
      return `${stamp} Decode batch, #running-req: 4, #token: ${tokens}, token usage: ${usage}, cuda graph: True, gen throughput (token/s): 231.40, #queue-req: 0, \n`;
  }
}
