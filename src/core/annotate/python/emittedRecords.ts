/**
 * Which messages of a log a source file printed. The table of line forms names the functions; one
 * counts only where its own text still has the words. Messages of a patch have no function in the
 * table: theirs is the one that has the words. Leaves out how a host shows them.
 */
import type { LogRecord } from '../../log/record';
import type { LineForm, Spelling } from '../../sglang/form/lineForm';
import { emittingPlace, placeOfWords } from './emittingLine';

/** A function of a file with the messages that it printed. */
export interface EmittedRecords {
  /** 1-based line of its `def`. */
  readonly line: number;
  /** In the order of the log; never empty. */
  readonly records: readonly LogRecord[];
  /** True where another function of the sources prints the same words, so that some may be its own. */
  readonly isShared: boolean;
}

/** The text of another file of the sources; undefined where there is none. */
export type ReadSource = (path: string) => Promise<string | undefined>;

/** Where the files are that the table names, in every release. */
const sourceFolder = '/srt/';

/** The functions of a file that printed some of the records, in the order of the file. */
export async function emittedRecords(
  path: string,
  text: string,
  records: readonly LogRecord[],
  read: ReadSource,
): Promise<readonly EmittedRecords[]> {
  const found = new Map<number, { records: LogRecord[]; isShared: boolean }>();
  for (const alike of bySpelling(records)) {
    const places = await placesOf(path, text, alike[0], read);
    for (const line of places.lines) {
      const known = found.get(line) ?? { records: [], isShared: false };
      known.records.push(...alike);
      known.isShared ||= places.count > 1;
      found.set(line, known);
    }
  }
  return [...found]
    .map(([line, one]) => ({
      line,
      isShared: one.isShared,
      records: one.records.toSorted((a, b) => a.line - b.line || a.start - b.start),
    }))
    .toSorted((a, b) => a.line - b.line);
}

type Alike = [LogRecord, ...LogRecord[]];

/** Records of one spelling have the same emitters. What a patch prints has no spellings. */
function bySpelling(records: readonly LogRecord[]): Alike[] {
  const groups = new Map<LineForm | Spelling, Alike>();
  for (const record of records) {
    const key = record.spelling ?? (record.form.owner === 'patch' ? record.form : undefined);
    const known = key && groups.get(key);
    if (known !== undefined) {
      known.push(record);
    } else if (key !== undefined) {
      groups.set(key, [record]);
    }
  }
  return [...groups.values()];
}

interface Places {
  /** 1-based lines of the functions of this file. */
  readonly lines: readonly number[];
  /** Those of other files counted as well. */
  readonly count: number;
}

async function placesOf(
  path: string,
  text: string,
  { form, spelling }: LogRecord,
  read: ReadSource,
): Promise<Places> {
  const { anchors, owner } = form;
  const emitters = (spelling?.emitters ?? []).map(emitter => {
    const [file = '', name = ''] = emitter.split('::');
    return { file, name };
  });
  if (emitters.length === 0) {
    const place = owner === 'patch' ? placeOfWords(text, anchors) : undefined;
    return place === undefined ? { lines: [], count: 0 } : { lines: [place.definition], count: 1 };
  }
  const lineIn = (source: string, name: string): number[] => {
    const place = emittingPlace(source, name, anchors);
    return place?.words === undefined ? [] : [place.definition];
  };
  const isHere = (file: string): boolean => path.endsWith(sourceFolder + file);
  const own = emitters.filter(({ file }) => isHere(file)).flatMap(one => lineIn(text, one.name));
  const lines = [...new Set(own)];
  if (lines.length === 0) {
    return { lines, count: 0 };
  }
  const root = path.slice(0, path.lastIndexOf(sourceFolder) + sourceFolder.length);
  const others = await Promise.all(
    emitters
      .filter(({ file }) => !isHere(file))
      .map(async ({ file, name }) => lineIn((await read(root + file)) ?? '', name)),
  );
  return { lines, count: lines.length + others.flat().length };
}
