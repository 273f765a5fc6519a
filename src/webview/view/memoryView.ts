/**
 * Where the memory went: all ranks as strips, one of them as a waterfall whose blocks lead to their
 * lines and add up to what was free before load.
 */
import type { PageBlock, PageRank, PageRun } from '../../core/report/pageModel';
import type { Html } from '../html';
import { html } from '../html';
import type { Drawing } from './drawing';
import { amount } from './amount';
import { hatch } from './hatch';
import { canReveal, linesText, percent, prose, revealing, say, section, titled } from './drawing';

/** The section; undefined where the log does not tell. */
export function memoryView(drawing: Drawing, run: PageRun): Html | undefined {
  return hasLedger(run)
    ? section(
        'memory',
        say(drawing.model, 'memory.title'),
        html`<div id="memory">${memoryContent(drawing, run)}</div>`,
      )
    : undefined;
}

/** True where the memory of some rank is known. */
export function hasLedger({ ranks }: Pick<PageRun, 'ranks'>): boolean {
  return ranks.some(({ blocks }) => blocks.length > 0);
}

/** Ranks and the waterfall of the chosen one; drawn again when another is chosen. */
export function memoryContent(
  drawing: Drawing,
  { ranks: all, ranksAlike }: Pick<PageRun, 'ranks' | 'ranksAlike'>,
): Html {
  const ranks = all.filter(({ blocks }) => blocks.length > 0);
  const shown = ranks[drawing.rank] ?? ranks[0];
  return html`${hatchPattern}
    <div class="ledger">
      ${ranks.length > 1 && strips(drawing, ranks)}
      ${ranksAlike !== undefined && html`<p class="quiet alike">${prose(ranksAlike)}</p>`}
      ${shown && waterfall(drawing, shown, ranks.length > 1)}
    </div>`;
}

/** The pattern of what nobody explains; bars refer to it. */
const hatchPattern = html`<svg width="0" height="0" class="defs" aria-hidden="true">
  ${hatch('hatch', 'hatch-line')}
</svg>`;

function isPart({ id }: PageBlock): boolean {
  return id !== 'start' && id !== 'end';
}

/** More ranks than these scroll in a frame of their own. */
const mostRanksInFull = 16;

function startOf(rank: PageRank): number {
  return rank.blocks.find(({ id }) => id === 'start')?.size ?? 0;
}

function strips(drawing: Drawing, ranks: readonly PageRank[]): Html {
  const { model, isStatic } = drawing;
  const widest = Math.max(...ranks.map(startOf));
  return html`<div
    class="strips ${ranks.length > mostRanksInFull ? 'many' : ''}"
    role="group"
    aria-label="${say(model, 'memory.ranks')}"
  >
    ${ranks.map((rank, at) => {
      const end = rank.blocks.find(({ id }) => id === 'end');
      const content = html`<span class="strip-name">${rank.name}</span>${strip(rank, widest)}<span
          class="strip-left"
          >${end && say(model, 'memory.left', { left: end.text })}</span
        ><span class="strip-mark"
          >${rank.isBinding && html`<span class="tag">${say(model, 'memory.decides')}</span>`}</span
        >`;
      return isStatic
        ? html`<div class="strip">${content}</div>`
        : html`<button
            type="button"
            class="strip"
            data-rank="${at}"
            aria-pressed="${String(at === drawing.rank)}"
          >
            ${content}
          </button>`;
    })}
  </div>`;
}

/** One rank as a bar of blocks from weights to what is left. */
function strip(rank: PageRank, widest: number): Html {
  let from = 0;
  const rects = rank.blocks.flatMap(block => {
    if (block.id === 'start' || block.size <= 0) {
      return [];
    }
    const x = from / widest;
    from += block.size;
    return [
      html`<rect
        class="block-${block.id}"
        x="${percent(x)}"
        width="${percent(block.size / widest)}"
        height="100%"
      />`,
    ];
  });
  return html`<svg class="strip-bar" aria-hidden="true">
    <rect class="track" width="${percent(startOf(rank) / widest)}" height="100%" />
    ${rects}
  </svg>`;
}

function waterfall(drawing: Drawing, rank: PageRank, isOneOfSeveral: boolean): Html {
  const { model } = drawing;
  const total = startOf(rank);
  let used = 0;
  const rows = rank.blocks.map(block => {
    const size = Math.max(0, block.size);
    const share = total === 0 ? 0 : size / total;
    const from = isPart(block) && total > 0 ? (total - used - size) / total : 0;
    if (isPart(block)) {
      used += size;
    }
    return row(drawing, block, from, share);
  });
  const start = rank.blocks.find(({ id }) => id === 'start');
  const name =
    rank.name === ''
      ? say(model, 'memory.one-rank')
      : say(model, 'memory.of-rank', { rank: rank.name });
  const decides = rank.isBinding && isOneOfSeveral;
  return html`<h3>
      ${name} ${decides && html`<span class="tag">${say(model, 'memory.decides')}</span>`}
    </h3>
    <ol class="waterfall" aria-label="${name}">
      ${rows}
    </ol>
    <p class="quiet note">
      ${start && say(model, 'memory.sum', { total: start.text })}
      ${decides && say(model, 'memory.decides-long')}
    </p>`;
}

/** Share of the width that a block has at least, so that it is seen. */
const thinnest = 0.004;

function row(drawing: Drawing, block: PageBlock, from: number, share: number): Html {
  const where = linesText(drawing, block.lines);
  const content = html`<span class="row-name">${titled(block.label)}</span
    ><span class="row-value">${amount(block.text)}</span><span class="row-line">${where}</span
    ><svg class="row-bar" aria-hidden="true">
      <rect class="track" width="100%" height="100%" />
      <rect
        class="block-${block.id}"
        x="${percent(from)}"
        width="${percent(Math.max(share, thinnest))}"
        height="100%"
      />
    </svg>`;
  return block.lines.length > 0 && canReveal(drawing)
    ? html`<li>
        <button
          type="button"
          class="row"
          ${revealing(block.lines)}
          title="${say(drawing.model, 'line.show', { lines: where })}"
        >
          ${content}
        </button>
      </li>`
    : html`<li><div class="row">${content}</div></li>`;
}
