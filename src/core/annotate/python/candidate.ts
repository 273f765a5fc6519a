/**
 * A cheap look at a text before it is parsed or interpreted: does it name what memory arithmetic is
 * made of? Either something that only such arithmetic uses (a memory fraction, free memory, a share
 * between pools), or widths of cache rows together with bytes. The words come from the fact tables.
 */
import type { MeasuredMemory, SourceFacts } from '../../python/facts';

/** Answers for a whole file or for one function. */
export class CandidateWords {
  readonly #measuring: RegExp;
  readonly #telling: RegExp;
  readonly #widths: RegExp;
  /** What all widths are told by: fewer words, without a look at what stands around them. */
  readonly #widthParts: RegExp;
  readonly #bytes: RegExp;

  constructor(facts: SourceFacts) {
    const bytes = lastWords([
      ...facts.library
        .filter(({ measures, result }) => !isTelling(measures) && 'unit' in result)
        .flatMap(({ reach }) => reach),
      ...facts.inputs.filter(isSizeOfElement).flatMap(({ reach }) => reach),
    ]);
    const telling = lastWords([
      ...facts.inputs
        .filter(fact => (fact.tag !== undefined || fact.unit === 'B') && !isSizeOfElement(fact))
        .flatMap(({ reach }) => reach),
      ...facts.measurement.unfollowed,
    ]);
    for (const { reach, measures } of facts.library) {
      if (isTelling(measures)) {
        reach.forEach(one => telling.add(longestWord(one)));
      }
    }
    const widths = lastWords(
      facts.inputs
        .filter(({ flowUnit, unit }) => flowUnit !== undefined && unit === '1')
        .flatMap(({ reach }) => reach),
    );
    this.#measuring = anyOf(
      new Set(
        facts.library
          .filter(({ measures }) => isTelling(measures))
          .flatMap(({ reach }) => reach.map(longestWord)),
      ),
    );
    this.#telling = anyOf(telling);
    this.#widths = anyOf(widths);
    this.#widthParts = new RegExp(shortest([...widths]).join('|'));
    this.#bytes = anyOf(bytes);
  }

  /** True for a text that asks a library for free memory. */
  measures(text: string): boolean {
    return this.#measuring.test(text);
  }

  test(text: string): boolean {
    return (
      this.#telling.test(text) ||
      (this.#widthParts.test(text) && this.#bytes.test(text) && this.#widths.test(text))
    );
  }
}

/** Memory in use is logged everywhere; what a device has, or has left, is asked for to compute. */
function isTelling(measures: MeasuredMemory | undefined): boolean {
  return measures === 'free-memory' || measures === 'capacity';
}

function isSizeOfElement({ unit, reach }: SourceFacts['inputs'][number]): boolean {
  return unit === 'B' && reach.some(one => one.includes('itemsize'));
}

/** `a.long_name().free` is told by its longest name. */
function longestWord(reach: string): string {
  const words = reach.match(/\w+/g) ?? [];
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), '');
}

/** The last name of each reach: `f` of `a.f(.b)`. */
function lastWords(reaches: readonly string[]): Set<string> {
  const words = new Set<string>();
  for (const reach of reaches) {
    const last = /(\w+)[()]*$/.exec(reach.replace(/\((\..*)\)$/, ''))?.[1];
    if (last !== undefined && last.length > 4) {
      words.add(last);
    }
  }
  return words;
}

/** Words that hold no other of them. */
function shortest(words: readonly string[]): string[] {
  return words.filter(word => !words.some(other => other !== word && word.includes(other)));
}

function anyOf(words: ReadonlySet<string>): RegExp {
  return new RegExp(`\\b(?:${[...words].join('|')})\\b`);
}
