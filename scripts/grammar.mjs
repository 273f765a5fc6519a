// Writes the TextMate grammars in syntaxes/ from the table of line forms: one for our log language,
// one that is injected into the editor's own `log` and colours only messages of the table.
// A test holds the files against it. Usage: node scripts/grammar.mjs

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import esbuild from 'esbuild';
import prettier from 'prettier';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Owners whose lines are of other programs; their messages are not coloured in foreign logs. */
const otherPrograms = new Set(['torch', 'system', 'vllm']);
/** Owners whose mark in a log says that another formula is in force. */
const formulaOwners = new Set([
  'kvcached',
  'ktransformers',
  'sglang-omni',
  'sglang-diffusion',
  'sglang-jax',
  'mlx',
]);

const scope = name => `${name}.sglang-log`;
const escape = text => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** The scope of a message's words; undefined for lines of another engine. */
function scopeOfForm(form) {
  if (form.owner === 'vllm') return undefined;
  if (formulaOwners.has(form.owner)) return scope('entity.name.type.formula-owner');
  if (form.id === 'ready') return scope('markup.inserted.ready');
  if (form.level === 'error') return scope('invalid.illegal.error');
  if (form.level === 'warning') return scope('markup.deleted.warning');
  return scope(`entity.name.function.${form.phase}`);
}

/**
 * A rule for each scope: the anchors of its forms, longest first. Names of values are no words of a
 * message, but a message can begin with one.
 */
function messageRules(forms, { withNames }) {
  const words = new Map();
  for (const form of forms) {
    const name = scopeOfForm(form);
    if (name === undefined) continue;
    const texts = form.anchors
      .map(anchor => ({ anchor, ...wordsOf(anchor, form) }))
      .filter(({ isName }) => withNames || !isName);
    if (texts.length > 0) words.set(name, [...(words.get(name) ?? []), ...texts]);
  }
  return [...words].map(([name, texts]) => {
    const ordered = texts.sort((a, b) => b.anchor.length - a.anchor.length);
    return { name, pattern: `(?:${[...new Set(ordered.map(text => text.source))].join('|')})` };
  });
}

/**
 * An anchor out to whole words. What leads to a value is looked at but left to the measures: an
 * anchor that is nothing but the name of a value has no words.
 */
function wordsOf(anchor, form) {
  const [, text, lead] = /^(.*?)([\s=:([{]*)$/.exec(anchor);
  const before = isCutWord(text, form) ? '[A-Za-z]?' : text.startsWith(' ') ? '\\b[A-Z]+' : '';
  if (/^#?[\w-]+$/.test(text) && /^(?:=|: )/.test(lead)) {
    return { source: `(?=${before}${escape(anchor)})`, isName: true };
  }
  const after = lead === '' && /\w$/.test(text) ? '\\w*' : '';
  const ahead = lead.trim() === '' ? '' : `(?=${escape(lead)})`;
  return { source: `${before}${escape(text)}${after}${ahead}`, isName: false };
}

const number = String.raw`-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?`;
const memoryUnit = String.raw`(?:[KMGT]i?B|bytes|B)(?:/token)?`;
const rank = String.raw`(?:DP|PP|ATTN_CP|MOE_DP|TP|EP)\d+`;
const date = String.raw`\d{4}-\d\d-\d\d`;
const clock = String.raw`\d\d:\d\d:\d\d(?:[.,]\d{1,9})?`;

/** An anchor can leave out the first letter of a word, which some releases write large. */
function isCutWord(text, { pattern }) {
  const word = /^[a-z]+/.exec(text)?.[0];
  return word !== undefined && !new RegExp(`(?<![A-Za-z\\])])${word}`).test(pattern.source);
}

/** The name of a value: one word, or two where the first says which. */
const valueName = String.raw`(?<![\w#])((?:(?:avail|mem|KV|K|V|Time|token|full token|swa token) )?#?[A-Za-z][\w-]*)`;

/** A number with its unit, after the name of the value or alone. */
function amount(name, unit) {
  const rule = (before, first) => ({
    match: `${before}(${number})( ?)(${unit})(?!\\w)`,
    captures: {
      ...(first > 1 && {
        1: { name: scope('variable.parameter') },
        2: { name: scope('keyword.operator') },
      }),
      [first]: { name: scope(`constant.numeric.${name}`) },
      [first + 2]: { name: scope(`keyword.other.unit.${name}`) },
    },
  });
  return [rule(`${valueName}(=|: )`, 3), rule('(?<![\\w.])', 1)];
}

/** What can stand inside a message. */
const measures = [
  {
    comment: 'the memory fraction, as an argument or as a flag',
    match: `(--mem-fraction-static|\\bmem_fraction_static|\\bfraction)(=|'?: | )(${number})`,
    captures: {
      1: { name: scope('variable.other.fraction') },
      2: { name: scope('keyword.operator') },
      3: { name: scope('constant.numeric.fraction') },
    },
  },
  ...amount('memory', memoryUnit),
  ...amount('duration', 's/it|it/s|ms|s'),
  {
    comment: 'a named count',
    match: `${valueName}(=|: )(${number})(?![\\w.])`,
    captures: {
      1: { name: scope('variable.parameter') },
      2: { name: scope('keyword.operator') },
      3: { name: scope('constant.numeric.count') },
    },
  },
  {
    comment: 'a named word',
    match: String.raw`\b([A-Za-z]\w*)(=)(True|False|None|'[^']*'|"[^"]*"|[A-Za-z][\w.]*)`,
    captures: {
      1: { name: scope('variable.parameter') },
      2: { name: scope('keyword.operator') },
      3: { name: scope('string.unquoted.value') },
    },
  },
];

const prefixes = [
  { name: scope('comment.block.escape'), match: String.raw`\x1b\[[0-9;?]*[ -/]*[@-~]` },
  {
    comment: 'the time and the rank that SGLang prints before a message',
    match: `(\\[)((?:${date}[ T])?${clock})((?: ${rank})*)([^\\]\\n]*)(\\])`,
    captures: {
      1: { name: scope('punctuation.definition.prefix.begin') },
      2: { name: scope('comment.block.timestamp') },
      3: { name: scope('entity.name.tag.rank') },
      4: { name: scope('comment.block.prefix') },
      5: { name: scope('punctuation.definition.prefix.end') },
    },
  },
  {
    comment: 'older ranks',
    name: scope('entity.name.tag.rank'),
    match: String.raw`^(?:Rank \d+(?=:)|\[gpu(?:_id)?=\d+\])`,
  },
  {
    comment: 'the time stamp of a collector',
    name: scope('comment.block.timestamp'),
    match: `^${date}[T ]${clock}(?:Z|[+-]\\d\\d:?\\d\\d)?`,
  },
  {
    comment: 'a frame of a traceback',
    match: String.raw`^(\s*)(File )("[^"]*")(, line )(\d+)(?:(, in )(\S+))?`,
    captures: {
      3: { name: scope('string.quoted.double.path') },
      5: { name: scope('constant.numeric.line') },
      7: { name: scope('entity.name.function.frame') },
    },
  },
  {
    comment: 'the class of an exception and the first sentence of its message',
    match: String.raw`^([A-Za-z_][\w.]*(?:Error|Exception))(?:(: )([^.=:\d]{1,80}\.))?(?=[: ]|$)`,
    captures: {
      1: { name: scope('invalid.illegal.exception') },
      3: { name: scope('invalid.illegal.error') },
    },
  },
];

const origin = 'Written by scripts/grammar.mjs from the table of line forms.';

/** The grammar of our own log language. */
export function logGrammar(forms) {
  return {
    name: 'SGLang log',
    scopeName: 'text.sglang-log',
    comment: origin,
    patterns: [
      { include: '#prefixes' },
      { include: '#fractions' },
      { include: '#messages' },
      { include: '#measures' },
    ],
    repository: {
      prefixes: { patterns: prefixes },
      // `--mem-fraction-static` is also part of a message; its value counts more.
      fractions: { patterns: measures.slice(0, 1) },
      messages: {
        patterns: messageRules(forms, { withNames: false }).map(({ name, pattern }) => ({
          name,
          match: pattern,
        })),
      },
      measures: { patterns: measures },
    },
  };
}

/**
 * The grammar that is injected into `text.log`: from the words of a message to the end of its line,
 * and nothing elsewhere, so that other programs' logs stay as they are.
 */
export function injectionGrammar(forms) {
  const own = forms.filter(({ owner }) => !otherPrograms.has(owner));
  return {
    name: 'SGLang messages in logs',
    scopeName: 'text.sglang-log.injection',
    comment: origin,
    injectionSelector: 'L:text.log -meta.message.sglang-log',
    patterns: [{ include: '#messages' }],
    repository: {
      messages: {
        patterns: messageRules(own, { withNames: true }).map(({ name, pattern }) => ({
          name: scope('meta.message'),
          begin: pattern,
          beginCaptures: { 0: { name } },
          end: '$',
          patterns: [{ include: 'text.sglang-log' }],
        })),
      },
    },
  };
}

/** The files of syntaxes/ and what they hold. */
export async function grammarFiles(forms) {
  const options = { ...(await prettier.resolveConfig(root)), parser: 'json' };
  const write = grammar => prettier.format(JSON.stringify(grammar), options);
  return {
    'sglang-log.tmLanguage.json': await write(logGrammar(forms)),
    'sglang-log.injection.tmLanguage.json': await write(injectionGrammar(forms)),
  };
}

async function loadForms() {
  const bundled = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['src/core/sglang/form/lineForms.ts'],
    bundle: true,
    format: 'esm',
    write: false,
  });
  const code = Buffer.from(bundled.outputFiles[0].contents).toString('base64');
  return (await import(`data:text/javascript;base64,${code}`)).lineForms;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const files = await grammarFiles(await loadForms());
  for (const [name, text] of Object.entries(files)) {
    await writeFile(path.join(root, 'syntaxes', name), text);
  }
}
