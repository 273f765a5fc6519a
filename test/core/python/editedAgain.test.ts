/** After any edit the annotations are those of the text as it is now, whatever was known before. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PythonAnnotator } from '../../../src/core/annotate/python/pythonAnnotator';
import { units } from '../../../src/core/units/unit';
import { changeOf, everythingShown } from './editing';
import { exactly, memoryFiles, quantityValue, testParser } from './python';

const folder = 'src/box';
const path = `${folder}/engine.py`;
const inputs = new Map([
  ['availableAfterLoad', quantityValue(exactly(21.697, units.GiB))],
  ['totalBeforeLoad', quantityValue(exactly(93.999, units.GiB))],
  ['memFractionStatic', quantityValue(exactly(0.55))],
]);

/** Pieces that an edit replaces by another of the same row. */
const pieces = {
  page: ['64', '16', '64  # tokens'],
  width: ['65536', '70272', '2 * 35136'],
  imported: [
    'from box.gauge import left_gib',
    'from box.other import left_gib',
    'from box.gauge import left_mib as left_gib',
    'import box.gauge',
  ],
  share: ['1 - self.mem_fraction_static', '0.5', 'self.mem_fraction_static', '1'],
  taken: ['left_gib()', 'self.left()', '12.5'],
  counted: ['int(rest * (1 << 30)) // cell_size()', 'int(rest)', 'int(rest * (1 << 30)) // WIDTH'],
  left: ['left_gib()', 'left_gib() - self.reserved', '3'],
  reserved: ['0', '2.5', 'whole * 0.25'],
  method: ['self.rest(whole)', 'self.rest(whole) + 1', 'whole'],
  inner: ['', '        # inside\n', '        # inside\n        # twice\n'],
  note: ['', '    # what is left\n', '\n\n'],
} as const;

type Piece = keyof typeof pieces;
type Choice = Readonly<Record<Piece, number>>;

const first: Choice = {
  page: 0,
  width: 0,
  imported: 0,
  share: 0,
  taken: 0,
  counted: 0,
  left: 0,
  reserved: 0,
  method: 0,
  inner: 0,
  note: 0,
};

function engine(choice: Choice): string {
  const of = (piece: Piece): string => pieces[piece][choice[piece]] ?? '';
  return `${of('imported')}
import torch

PAGE = ${of('page')}
WIDTH = ${of('width')}
${of('note')}
def cell_size():
    return WIDTH

class Engine:
    def __init__(self, whole):
        self.reserved = ${of('reserved')}

    def left(self):
        return ${of('left')}

    def report(self):
${of('inner')}        free, _ = torch.cuda.mem_get_info()
        print(free)

    def rest(self, whole):
${of('inner')}        return ${of('taken')} - whole * (${of('share')})

    def capacity(self, whole):
        rest = ${of('method')}
        return ${of('counted')}

    def paged(self, whole):
        return self.capacity(whole) // PAGE * PAGE
`;
}

const gauge = (unit: string): string => `import torch

def left_gib():
    left, _ = torch.cuda.mem_get_info()
    return left / (1 << ${unit})

def left_mib():
    left, _ = torch.cuda.mem_get_info()
    return left / (1 << 20)
`;

function filesWith(unit: string): Record<string, string> {
  return {
    [`${folder}/gauge.py`]: gauge(unit),
    [`${folder}/other.py`]: 'def left_gib():\n    return 7\n',
    [`${folder}/__init__.py`]: '',
  };
}

async function fromScratch(text: string, files: Record<string, string>): Promise<unknown> {
  const annotator = new PythonAnnotator(await testParser(), memoryFiles(files));
  const found = await annotator.annotate({ path, text, inputs });
  annotator.dispose();
  return everythingShown(found, text);
}

/** A person at work: edits pieces one after another; a file elsewhere is saved in between. */
class Session {
  readonly annotator: PythonAnnotator;
  readonly files: Record<string, string>;
  text = engine(first);
  #choice = first;

  constructor(annotator: PythonAnnotator, files: Record<string, string>) {
    this.annotator = annotator;
    this.files = files;
  }

  edit(piece: Piece, at: number): void {
    this.#choice = { ...this.#choice, [piece]: at % pieces[piece].length };
    const after = engine(this.#choice);
    this.annotator.update(path, after, [changeOf(this.text, after)]);
    this.text = after;
  }

  save(unit: string): void {
    Object.assign(this.files, filesWith(unit));
    this.annotator.forget(`${folder}/gauge.py`);
  }

  async look(): Promise<unknown> {
    const { text } = this;
    return everythingShown(await this.annotator.annotate({ path, text, inputs }), text);
  }
}

async function session(): Promise<Session> {
  const files = filesWith('30');
  return new Session(new PythonAnnotator(await testParser(), memoryFiles(files)), files);
}

test.each(Object.keys(pieces) as Piece[])(
  'an edit of %s is seen wherever it matters',
  async piece => {
    for (const at of pieces[piece].keys()) {
      const work = await session();
      await work.look();
      work.edit(piece, at);
      expect(await work.look()).toEqual(await fromScratch(work.text, work.files));
      work.edit(piece, 0);
      expect(await work.look()).toEqual(await fromScratch(work.text, work.files));
      work.annotator.dispose();
    }
  },
);

test('a file that is saved elsewhere is seen', async () => {
  const work = await session();
  const before = await work.look();
  work.save('20');
  const after = await work.look();
  expect(after).not.toEqual(before);
  expect(after).toEqual(await fromScratch(work.text, work.files));
  work.annotator.dispose();
});

test('after any edits the annotations are those of a first look', async () => {
  const step = fc.oneof(
    {
      weight: 8,
      arbitrary: fc.tuple(fc.constantFrom(...(Object.keys(pieces) as Piece[])), fc.nat(3)),
    },
    { weight: 1, arbitrary: fc.constantFrom('30', '20') },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async steps => {
      const work = await session();
      await work.look();
      for (const one of steps) {
        if (typeof one === 'string') work.save(one);
        else work.edit(...one);
        expect(await work.look()).toEqual(await fromScratch(work.text, work.files));
      }
      work.annotator.dispose();
    }),
    { numRuns: 40 },
  );
}, 120_000);
