/**
 * The English wording of every message: calm and exact, the answer with its unit first, the reason
 * after, then what to do. `{name}` is an argument of the message.
 */
import type { MessageId } from '../core/message/message';

export const english = {
  'verdict.ok': 'Ready with {tokens} in a KV pool of {pool} per rank.',
  'verdict.ok-plain': 'Ready.',
  'verdict.not-enough-memory':
    'Not enough memory: at a fraction of {fraction} the KV pool would get {rest}. Nothing fits below {minimum}.',
  'verdict.not-enough-memory-plain':
    'Not enough memory for the KV pool at a fraction of {fraction}. This log does not show the free memory.',
  'verdict.not-enough-memory-bare':
    'Not enough memory for the KV pool. This log shows neither the fraction nor the free memory.',
  'verdict.values': 'At a fraction of {fraction} the KV pool gets {rest}: {tokens}.',
  'verdict.load-oom':
    'Out of memory while loading weights. The memory fraction has no effect in this phase.',
  'verdict.pool-oom': 'Out of memory while allocating pools.',
  'verdict.graph-oom': 'Out of memory while capturing graphs.',
  'verdict.runtime-oom': 'Out of memory while serving.',
  'verdict.pool-exhausted': 'The KV pool ran out of tokens. This is not GPU memory.',
  'verdict.slots-exhausted': 'The request slots ran out. This is not GPU memory.',
  'verdict.host-oom': 'The host ran out of memory. This is not GPU memory.',
  'verdict.rank-imbalance': 'The ranks start with unequal free memory.',
  'verdict.not-memory': 'Failed, but not for want of memory.',
  'verdict.incomplete': 'The log ends before the server was ready.',

  'problem.not-enough-memory': '{summary} {cure}',
  'problem.fraction-mismatch':
    'The pools imply a fraction of {implied}, not the claimed {claimed}. Another value was in effect.',
  'problem.contradiction': 'These printed figures cannot all be true of one run: {facts}.',
  'contradiction.fact': '{term} {value} (line {line})',
  'problem.rank-imbalance':
    'Rank {rank} has {gap} less than the best rank and decides for all: {tokens} less in the pool.',
  'problem.idle-memory':
    '{idle} stay free at ready. A larger fraction would turn part of it into KV cache.',
  'problem.tiny-pool':
    'The pool holds {tokens}; one request of the full context length is {context} and can never run.',
  'problem.over-allocated':
    'The pool takes {over} more than was budgeted for it: {allocated} are allocated, {budgeted} counted. What stays free is less by that.',
  'problem.advice-too-low':
    'The engine advises {advised}, but nothing fits below {minimum}: reservations were subtracted first.',

  'advice.fraction':
    'Raise the fraction to {fraction} to hold {need}: it gives {tokens} and leaves {left} for activations.',
  'advice.fraction-unmeasured':
    'Raise the fraction to {fraction}, the largest that keeps {reserve} free for what this log did not measure (request table, graphs, activations): it gives {tokens} and leaves {left}.',
  'advice.does-not-fit':
    'No fraction holds {need} and keeps {reserve} free. What helps instead: {levers}.',
  'advice.does-not-fit-plain': 'No fraction holds {need} and keeps {reserve} free.',
  'advice.no-room':
    'No fraction gives a KV pool and keeps {reserve} free for request table, graphs and activations: the weights are too large for this many GPUs.',
  'advice.no-value': 'No fraction is recommended: {reason}.',
  'advice.floor-only': 'Nothing fits below {minimum}; more of the log is needed to offer a value.',
  'advice.none': 'No fraction is recommended.',
  'need.request': 'one request of {tokens}',
  'need.given': 'at least {tokens}',
  'need.other-run': 'at least the {tokens} of the other run',
  'need.unknown': 'as much as leaves enough free',
  'lever.request-table': '{flag} frees {gain} of request table',
  'lever.kv-dtype': '{flag} saves {gain} on that need',
  'lever.context-length': '{flag} saves {gain}',
  'lever.graphs': 'a smaller {flag} frees up to {gain} of graphs',
  'reason.formula-owner': 'another program sized the pool in this run',
  'reason.host-memory': 'free memory is host memory here and moves with other programs',
  'reason.memory-saver': 'the memory saver is on and gives memory back at run time',
  'reason.state-pool': 'a state pool shares the budget, and its share moves with the fraction',
  'reason.inputs-missing': 'the log does not show the free memory before and after loading',

  'report.assumed': 'Printed figures alone do not give these values. Assumed: {assumptions}.',
  'compare.same': 'No difference beyond noise: {names}.',
  'compare.only-fraction': 'Only the fraction differs.',
  'compare.moved': '{name}: {a} against {b}',
  'compare.share': '{name}: {tokens} ({share})',
  'compare.predicted-a': 'At {fraction} the first run would get {tokens}.',
  'compare.predicted-b': 'At {fraction} the second run would get {tokens}.',
  'compare.no-start-a':
    'At {fraction} the first run would not start: its KV pool would get {pool}.',
  'compare.no-start-b':
    'At {fraction} the second run would not start: its KV pool would get {pool}.',

  'report.legend':
    'P is the free memory before the weights are loaded, A after; both are the minimum over ranks. f is the memory fraction.',

  'name.quantity': '{quantity}',
  'name.ledger': '{entry}',
  'name.fraction': '{which}',

  'note.rest-negative': '= {rest}: f > {minimum}',
  'note.rest': '= {rest}, {tokens}',
  'note.fraction': 'f {fraction}',
  'note.minimum': 'needs f > {minimum}',
  'note.bytes-per-token': '{cell}',
  'note.gap': '{gap} of it is request table',
  'note.requests': '{requests}',
  'note.left': '{left} left',

  'field.value': '{name}: {value}',
  'field.name': '{field}',
  'hover.title': '{form}',
  'hover.gib-label': '"GB" on this line means GiB (2^30 bytes).',
  'hover.check-agrees': 'agrees',
  'hover.check-differs': 'differs from the printed {printed}',
  'hover.minimum-of-ranks':
    'A local sample of this rank. The formula uses the minimum over all ranks.',
  'hover.floor':
    'The minimum is where nothing is left for the pool: a value to set must be larger by what the pool is to hold.',
  'hover.emitter': 'Printed by {emitter}',
  'hover.emitters': 'Printed by {emitter} and {others} other places',
  'hover.release': 'release {from}',
  'hover.releases': 'releases {from} to {to}',
  'hover.releases-since': 'since release {from}',
  'name.memory-fraction': 'memory fraction {which}',
  'hover.rank': '{title} · rank {rank}',
  'lens.verdict': 'KV Lens: {summary}',
  'lens.open-report': 'Open report',
  'lens.copy-flag': 'Copy {flag}',
  'short.ok': 'ready with {tokens}',
  'short.ok-plain': 'ready',
  'short.not-enough-memory': 'not enough memory, {rest} at f {fraction}',
  'short.verdict': '{verdict}',
  'status.one-run': '1 run: {verdict}',
  'status.runs': '{runs} runs, the last: {verdict}',
  'outline.run': 'Run {number}: {summary}',
  'outline.rank': 'Rank {rank}',
  'outline.only-rank': 'Single rank',
  'outline.phase': '{phase}',

  'receipt.input': '{part}: {value} ({origins})',
  'receipt.result': '{part}: {value}',
  'receipt.replicated': '{part}: {value}, the same on every rank',
  'receipt.divided': '{part}: {value}, divided over the ranks',
  'name.part': '{part}',
  'spread.replicated': 'the same on every rank',
  'spread.divided': 'divided over the ranks',
  'origin.key': '{key} in line {line}',
  'origin.key-only': '{key}',
  'origin.flag': '{flag}',
  'origin.assumption': 'assumed: {assumption}',

  'refusal.not-a-config': 'This is no JSON object of a size and depth that a model config has.',
  'refusal.missing-key':
    'The config has no {key}, and without it the memory of its attention is not known.',
  'refusal.missing-one-of':
    'The config has none of {keys}, and without one the memory of its attention is not known.',
  'refusal.unusable-value': '{key} in line {line} is {found}, which is no value that can be used.',
  'refusal.unknown-attention':
    '{key} in line {line} announces a kind of attention whose memory is not known.',
  'refusal.not-in-release': 'This release has no {what}.',

  'plan.budgeted': '{cell} are budgeted.',
  'plan.allocated': '{budgeted} are budgeted, but the buffers take {allocated}.',
  'plan.slot': 'Each slot of state takes {slot}.',
  'plan.automatic': 'Without a flag the fraction is {fraction}.',
  'plan.automatic-multiplied': 'Without a flag the fraction is {fraction}, from {plain}.',
  'plan.minimum': 'Nothing fits below {minimum}.',
  'plan.advised':
    'Start with {fraction}: it holds one full-length request and leaves room for graphs and activations.',
  'plan.no-advice':
    'No fraction both holds one full-length request and surely leaves 9 GiB for graphs and activations.',
  'plan.request-cost': 'One request of {length} costs {cost} on each rank.',
  'plan.assumptions': 'Assumed: {assumptions}.',
  'plan.inputs-missing':
    'Tokens need --gpu-free and --weights: free memory before loading, and what the weights take of it.',

  'layout.agrees': 'The printed sizes are those of the config: {cell}.',
  'layout.differs': 'The config gives {expected}, the printed sizes {implied}.',
  'layout.dtypes': 'The printed sizes are those of {dtypes}.',
  'layout.flag-without-effect':
    '{flag} has had no effect: the printed sizes are those of {dtypes}.',
  'layout.flag-in-effect': '{flag} is in effect: the printed sizes are those of {dtypes}.',
  'layout.ranks': 'The printed sizes are those of {ranks} ranks.',
  'layout.other-model': 'The config is of {own}, the log of {shown}.',
  'layout.concurrency': '{requests} of {length} fit at once.',

  'page.engine': 'Engine',
  'page.release': 'Release',
  'page.model': 'Model',
  'page.parallel': 'Parallel',
  'page.ranks': 'Ranks',
  'page.lines': 'Lines',
  'page.ranks-seen': '{seen} seen',
  'page.ranks-of': '{seen} of {expected} seen',
  'page.lines-of': '{first} to {last}',
  'page.release-since': '{from} or later',
  'page.release-range': '{from} to {to}',
  'page.release-between': 'between {after} and {before}',
  'page.foreign': '{text}',
  'page.moved': 'What differs: {names}.',
  'page.nothing-moved': 'No input of the pool differs beyond noise.',
  'page.tokens-against': '{a} in the first run, {b} in the second.',
  'page.tokens-unknown': 'These logs do not show the tokens of both runs.',
  'page.fits': 'fits',
  'page.too-little': 'not enough memory for the KV pool',
} as const satisfies Record<MessageId, string>;
