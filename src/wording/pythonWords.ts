/** English texts of what is said of Python source; `{name}` is a gap. */
import type { FunctionRole } from '../core/annotate/python/annotation';
import type { PlainAssumption } from '../core/sglang/source/plainProfile';

export const roleNames = {
  sizing: 'sizes the KV pool',
  'cell-size': 'bytes per token',
  'available-memory': 'measures free memory',
  'pool-split': 'splits memory into pools',
} as const satisfies Record<FunctionRole, string>;

/** What was taken for granted, by id. */
export const plainAssumptionNames: Readonly<Record<string, string>> = {
  'no-draft-worker': 'no draft worker',
  'no-speculation': 'no speculative decoding',
  'no-state-layers': 'no state or linear-attention layers',
  'no-indexer': 'no sparse-attention indexer',
  'no-fp4': 'no FP4 cache',
  'no-sliding-window': 'no sliding-window layers',
  'text-only': 'text only',
  'one-pipeline-stage': 'one pipeline stage',
  'no-context-parallelism': 'no context parallelism',
  'no-attention-data-parallelism': 'no attention data parallelism',
  'no-post-capture-sizing': 'no sizing after graph capture',
  'no-reservation': 'no reservation',
  'no-clamp': 'no limit on tokens, requests or state slots',
  'radix-cache': 'radix cache on',
  'no-layer-split': 'no split of layers',
  'no-other-architecture': 'no architecture with a rule of its own',
  'no-special-pool': 'no unified, hierarchical or sparse-offloaded cache',
  'no-disaggregation': 'prefill and decode in one server',
  'no-block-scales': 'no MXFP8 cache',
  'default-backend': 'the default attention backend',
  'overlap-schedule': 'overlap scheduling on',
  'no-indexer-sharing': 'an indexer of its own in every layer',
  'no-environment': 'environment variables not set',
  nvidia: 'an NVIDIA card',
  'no-latent-windows': 'no latent attention in sliding windows',
  'equal-value-heads': 'value heads as wide as key heads',
  'equal-window-heads': 'sliding-window heads like the others',
  'one-data-parallel-rank': 'one data-parallel rank',
  'measured-in-gib': 'free memory is measured in GiB',
} satisfies Record<PlainAssumption, string> & Record<string, string>;

export const pythonWords = {
  'assumption.plain': 'plain profile: {assumption}',
  'note.unit': ': {unit}',
  'note.gigabytes-by-name': ': GB or GiB (by its name only)',
  'note.megabytes-by-name': ': MB or MiB (by its name only)',
  'note.bytes-by-name': ': bytes (by its name only)',
  'note.missing': ': {unit}, needs {names}',
  'note.needs': 'needs {names}',
  'note.call': 'returns {unit}',
  'note.raises': 'raises {text}',
  'note.may-raise': 'may raise {text}',
  'note.mixed':
    '{left} and {right} meet here without a change of scale: the result is in neither unit.',
  'hover.by-use': 'The unit follows from how the value is used.',
  'hover.missing': 'Not known without {names}.',
  'hover.skipped': 'Not reached with these values.',
  'hover.input': '{name}: {value}',
  'hover.input-unknown': '{name}: not known',
  'hover.from-log': 'from {place}',
  'hover.from-hand': 'set by hand',
  'hover.from-config': 'from {place}',
  'hover.assumed': 'Rests on: {assumptions}.',
  'hover.unit-only': 'Unit: {unit}',
  'hover.call': '{callee} returns {unit}.',
  'hover.call-plain': 'Calls {callee}.',
  'hover.scale': 'It is {unit} because {place} changes the scale',
  'hover.defined': 'defined at {place}',
  'hover.measured': 'It measures free memory while the server starts, so its value is an input.',
  'hover.before-load':
    'What was free before the weights were loaded. It is not the size of the card.',
  'hover.before-load-least':
    'What was free before the weights were loaded, on the rank that had least. It is not the size of the card.',
  'hover.chain': 'How it gets here:',
  'hover.measured-at': 'measured by {code} at {place}',
  'hover.returned-at': 'returned by {function} at {place}',
  'hover.stored-at': 'kept as {code} at {place}',
  'hover.passed-at': 'passed on by {function} at {place}',
  'hover.also': '= {amount}',
  'table.header': '{name} (line {line}, {role})',
  'table.returns': 'returns',
  'table.raises': 'raises',
  'table.missing': 'missing',
  'table.broken': 'the text does not parse from line {line} on',
  'table.assumptions': 'Taken for granted:',
  'table.none': 'No memory arithmetic found.',
  'table.other': '{name} (units only)',
  'table.unfollowed':
    '{names} not followed: no module {module} above the file. Name the folder that holds it with --root.',
  'table.unfollowed-near': '{names} not followed: no module {module} beside the file.',
} as const;

export type PythonWordId = keyof typeof pythonWords;
