/**
 * The English wording of every message: calm and exact, the answer with its unit first, the reason
 * after, then what to do. `{name}` is an argument of the message.
 */
import type { MessageId } from '../core/message/message';
import { solveText } from './solveText';
import { verdictText } from './verdictText';

export const english = {
  ...solveText,
  ...verdictText,
  'problem.fraction-other':
    'The process itself shows a fraction of {shown}, not the claimed {claimed}.',
  'problem.fraction-multiplied-shown':
    '{claimed} was multiplied to {product}: {reason}. The process itself shows {shown}.',
  'problem.fraction-multiplied':
    'The pools imply a fraction of {implied}, not {claimed}. {product} would go with them: {reason}.',
  'multiplier.multimodal':
    'some releases lower it for multimodal models, outside the launch arguments',
  'multiplier.aiter':
    'some releases lower it for aiter attention and contexts beyond 8,192 tokens, outside the launch arguments',
  'problem.over-claimed':
    'The pool takes {over} more than its budget. FP8 rows of sparse attention are budgeted too narrow up to 0.5.16; what stays free is less by that.',
  'problem.unbalanced-draft':
    'No other process holds the cards: the draft worker compares ranks that the target has already filled (up to 0.4.9.post2). Update SGLang, or switch the check off.',
  'problem.unbalanced':
    '{least} are free on the fullest card, {local} on another; the check allows a tenth. Free the fullest card.',
  'problem.unbalanced-plain':
    'One rank has less than nine tenths of what is free on another. Free the fullest card.',
  'problem.shared-card':
    '{amount} came free after the pools were sized: another process ended, or left-overs of loading were collected. The fractions of this start are not to be relied on; start again on a quiet card.',
  'problem.occupied':
    '{amount} of {capacity} were taken before the start, beside our own context; only {begin} were free. Free the card first.',
  'problem.occupied-least':
    'At least {amount} of {capacity} were taken before the start, if our own context took at most {context}, which the log does not show; only {begin} were free. Free the card first.',
  'problem.refused-requests':
    'Requests above {maximum} are refused: neither the pool nor the context length holds more.',
  'problem.spent-slack-to':
    '{left} stay free for graphs: costs outside the budget took {spent}. {flag} frees {gain} of request table.',
  'problem.spent-slack':
    '{left} stay free for graphs: costs outside the budget, such as the request table, took {spent}. Lower --max-running-requests.',
  'problem.advice-below-value':
    'Do not set the {advised} that the engine advises: {fraction} is above it and failed. Reservations or state were subtracted first; a larger fraction helps only where they are no fixed amount.',
  'cure.raise': 'A larger fraction would turn part of it into KV cache.',
  'cure.unless-limited':
    '{cure} That is so unless --max-total-tokens is set, which this log does not show.',
  'cure.unless-ranks': '{cure} Ranks that this log does not show may have less.',
  'cure.raise-to': '{flag} gives {tokens} and leaves {left}.',
  'cure.host-grows': '{cure} The host cache, which a ratio sizes, then takes {host} for each rank.',
  'cure.raise-to-own':
    '{cure} Without the flag this release would set {fraction}; what that leaves is for prefill chunks and graphs.',
  'cure.kept-by-release':
    'No larger fraction is offered: without the flag this release would set {fraction}, and what that leaves is for prefill chunks and graphs.',
  'cure.raise-to-plain': '{flag} gives more KV cache and leaves {left}.',
  'cure.lower-to':
    'Set {flag}: {tokens} still fit. It has to fall by at least {by}; later allocations were not reached.',
  'cure.lower-to-plain':
    'Set {flag}. It has to fall by at least {by}; later allocations were not reached.',
  'cure.lower-by': 'Lower --mem-fraction-static by at least {by}.',
  'cure.lower': 'Lower --mem-fraction-static.',
  'cure.pieces': 'Set {variable}=expandable_segments:True, or lower --mem-fraction-static.',
  'cure.lower-limit':
    'Lower --max-total-tokens: its {limit} decide the pool, and a lower fraction frees nothing.',
  'cure.lower-limit-by':
    'Lower --max-total-tokens by at least {by}: its {limit} decide the pool, and a lower fraction frees nothing.',
  'cure.lower-limit-to':
    'Set {flag}. The limit of {limit} decides the pool, not the fraction, and has to fall by at least {by}; later allocations were not reached.',
  'cure.smaller-chunk':
    '{cure} Or set {flag}: it ran out in a prefill, which takes {chunk} at once at most.',
  'cure.window-ratio':
    'Raise --swa-full-tokens-ratio, which gives the window more of the budget: the full pool has room, with {used} in it.',
  'cure.smaller-graphs':
    '{cure} A smaller {flag} takes less for graphs, and --disable-cuda-graph nothing.',
  'cure.free-card': 'Free GPU {device} first: other processes hold {others} of it.',
  'cure.start': 'The fraction has no effect here: look for what else holds the card.',
  'cure.draft-sizing':
    'Lower --mem-fraction-static: the draft worker sizes its pool from what the target leaves.',
  'cure.unified-small': 'Raise --mem-fraction-static, or lower --context-length.',
  'cure.window-cap':
    'Lower --max-running-requests, which sets the size of the window pool, or raise --mem-fraction-static.',
  'cure.window-cap-stuck':
    'No fraction holds it, with {available} free after loading. Lower --max-running-requests, which sets the size of the window pool.',
  'cure.taken':
    'Free GPU {device} first: other processes took at least {taken} of it after the start.',
  'cure.load': 'The fraction has no effect here: more GPUs, smaller weights, or --cpu-offload-gb.',
  'cure.sized-later':
    'Capture fewer or smaller graphs: a lower fraction frees nothing, as the pool is sized after them.',
  'cure.stuck': 'With these other flags it cannot fit: no pool is left at or below {ceiling}.',
  'cure.with-levers': '{cure} What else frees memory: {levers}.',
  'cure.fragmented':
    'Set {variable}=expandable_segments:True: {unused} are reserved by PyTorch but unused, more than the {missing} missing, so they lie in pieces. Where that is not enough: {cure}',
  'cure.more-tokens': 'Set {flag}: {tokens} fit, {left} stay free.',
  'cure.more-tokens-for':
    'Set {flag}: {tokens} fit, room for {count} requests of that length, and {left} stay free.',
  'cure.raise-limit':
    'Set {flag}: the limit of {limit} decides the pool, and the fraction in effect has room for so many.',
  'cure.fewer-requests':
    'Set {flag}: so many were left after the last retraction ({times} in this log); a larger --schedule-conservativeness also admits fewer. {room}',
  'cure.fewer-requests-each':
    'Run fewer requests at once: {left} were left on this replica after the last retraction ({times} in this log); a larger --schedule-conservativeness also admits fewer. {room}',
  'room.unknown': 'No memory is known to be free for more tokens.',
  'room.free': '{free} stay free at ready.',
  'cure.between':
    'With these other flags it cannot fit: nothing fits below {floor}, and no graphs above {ceiling}.',
  'cure.between-room':
    'Only from {floor} to {ceiling} can it fit: that is {room} of KV pool at most.',
  'report.launch': 'To start it again; not every flag of the log is shown, keep your others:',
  'report.retry': 'This attempt took {retry} up to the failure.',
  'problem.fraction-mismatch':
    'The pools imply a fraction of {implied}, not the claimed {claimed}. Another value was in effect.',
  'problem.contradiction':
    'Check these figures: {facts}. Any one of them, read differently, goes with all others; as printed they do not.',
  'problem.contradiction-one':
    'Check this figure: {facts}. All other printed figures go together, but not with it.',
  'problem.contradiction-several':
    'Check what was printed: more than one figure of this run cannot be true together with the others.',
  'contradiction.fact': '{term} {value} (line {line})',
  'problem.rank-imbalance':
    'Rank {rank} has {gap} less than the best rank and decides for all: {tokens} less in the pool.',
  'problem.rank-imbalance-ranks':
    'Ranks {ranks} have {gap} less than the best rank and decide for all: {tokens} less in the pool.',
  'problem.rank-imbalance-count':
    '{count} ranks have {gap} less than the best rank and decide for all: {tokens} less in the pool.',
  'problem.rank-imbalance-stage':
    '{imbalanced} The weights of its pipeline stage take {more} more: move a layer to another stage (SGLANG_PP_LAYER_PARTITION).',
  'problem.rank-imbalance-bytes':
    '{imbalanced} Another stage has more bytes per token: a layer moved there costs tokens too.',
  'problem.rank-imbalance-start':
    '{imbalanced} It started with {less} less than that one: free its card first.',
  'problem.rank-imbalance-starts':
    '{imbalanced} They started with {less} less than that one: free their cards first.',
  'problem.occupied-others': 'Other processes hold {others} of {capacity} on GPU {device}.',
  'problem.idle-memory-plain': '{idle} stay free at ready.',
  'problem.idle-memory-slots': '{idle} stay free at ready, which more slots of state could use.',
  'problem.idle-memory': '{idle} stay free at ready. {cure}',
  'problem.small-pool':
    'The pool holds {tokens}: one request of the full context length is {context} and can never run.',
  'problem.small-pool-idle':
    'The pool holds {tokens} while {idle} stay free at ready; one request of the full context length is {context} and can never run. This log shows neither the fraction nor whether the tokens are limited.',
  'problem.small-pool-to':
    'The pool holds {tokens}: one request of the full context length is {context} and can never run. {cure}',
  'problem.tiny-pool':
    'The pool holds {tokens} while {idle} stay free; one request of the full context length is {context} and can never run. {cure}',
  'problem.over-allocated':
    'The pool takes {over} more than was budgeted for it: {allocated} are allocated, {budgeted} counted. What stays free is less by that.',
  'problem.advice-too-low':
    'The engine advises {advised}, but nothing fits below {minimum}: reservations were subtracted first.',

  'advice.fraction': 'Set {flag}: {tokens} fit, {left} stay free. {why}',
  'advice.fraction-pool': 'Set {flag}: {pool} for the KV pool, {left} stay free. {why}',
  'advice.maybe-multiplied':
    '{advice} Releases 0.3.5 to 0.4.8 take 0.95 or 0.9 of it for models with images: with one of these it has to be larger by as much.',
  'advice.need-open':
    '{advice} Whether it holds {need} is not known: the log does not tell bytes per token, a config.json does.',
  'advice.need-none':
    '{advice} How many tokens are needed is not known: a lower value holds fewer and leaves more.',
  'why.smallest': 'It is the smallest value that holds {need}.',
  'why.smallest-unmeasured':
    'It is the smallest value that holds {need}, and it keeps {reserve} for what this log did not measure: request table, graphs, activations.',
  'why.largest': 'It is the largest value that keeps {reserve} for activations.',
  'why.largest-unmeasured':
    'It is the largest value that keeps {reserve}, assumed for what was not measured: request table, graphs, activations.',
  'why.own':
    'This release would set {fraction} without the flag; what that leaves is for prefill chunks and graphs.',
  'why.above-own':
    '{why} Without the flag this release would set {fraction}, which leaves more for them.',
  'advice.does-not-fit':
    'No fraction holds {need} and keeps {reserve} free. What helps instead: {levers}.',
  'advice.does-not-fit-plain': 'No fraction holds {need} and keeps {reserve} free.',
  'advice.no-room':
    'No fraction leaves a KV pool and {reserve} beside it: the weights are too large for these GPUs.',
  'advice.no-value': 'No fraction is recommended: {reason}.',
  'advice.raise': 'Raise --mem-fraction-static. By how much is not known: {reason}.',
  'advice.floor-full':
    'No fraction helps: {minimum} of the free memory goes to the weights. More GPUs, smaller weights, or --cpu-offload-gb.',
  'advice.floor-only':
    'Raise --mem-fraction-static well above {minimum}. More has to be known to offer a value.',
  'advice.none': 'No fraction is recommended.',
  'need.request': 'one request of {tokens}',
  'need.given': 'at least {tokens}',
  'need.limit': 'the {tokens} of --max-total-tokens',
  'need.other-run': 'about the {tokens} of the other run',
  'need.unknown': 'as much as leaves enough free',
  'lever.request-table': '{flag} frees {gain} of request table',
  'lever.kv-dtype': '{flag} saves {gain} on that need',
  'lever.context-length': '{flag} saves {gain}',
  'lever.state-slots': '{flag} frees {gain} of state',
  'lever.graphs': 'a smaller {flag} frees up to {gain} of graphs',
  'reason.formula-owner': 'another program sized the pool in this run',
  'reason.host-memory': 'free memory is host memory here and moves with other programs',
  'reason.memory-saver': 'the memory saver is on and gives memory back at run time',
  'reason.shared-card':
    'memory came free while this server started, so its figures are not those of the card',
  'reason.draft-sizing': 'the draft worker sizes its pool from what the target leaves',
  'reason.window-cap':
    '--max-running-requests sets the size of the window pool, which is cut first',
  'reason.lowered-fraction':
    'with aiter attention releases 0.4.7 to 0.5.4 use 0.85 of what is typed, for contexts beyond 8,192 tokens',
  'reason.unexplained':
    'by its own arguments the run had room, so something lowered the fraction or took memory first that this log does not show',
  'reason.training': 'a trainer shares the card and takes and gives memory at run time',
  'reason.state-pool': 'a state pool shares the budget, and its share moves with the fraction',
  'reason.hidden-reserve':
    'a reservation or a state pool that this log does not show takes the budget first',
  'reason.maybe-host-memory':
    'so much free memory is that of a GPU that shares it with the host, where it moves with other programs',
  'reason.kept-by-release': 'the release keeps the rest for prefill chunks and graphs',
  'reason.inputs-missing': 'the log does not show the free memory before and after loading',

  'fraction.is-automatic':
    'Nobody typed a fraction: {fraction} is what this release sets by itself.',
  'fraction.is-multiplied':
    'Nobody typed a fraction: {fraction} is what this release sets by itself, {plain} times {multiplier}.',
  'fraction.is-typed':
    'The fraction {fraction} was typed. Without the flag this release would set {automatic}.',

  'serving.peak': 'The pool was at most {usage} full, first on line {line}.',
  'serving.queue': 'Up to {queue} requests waited, first on line {line}.',
  'serving.retracted': 'Retractions: {times}; requests put back into the queue: {requests}.',

  'report.assumed': 'Printed figures alone do not give these values. Assumed:',
  'report.assumption': '{assumed}.',
  'compare.same': 'No difference beyond noise: {names}.',
  'compare.only-fraction': 'Only the fraction differs.',
  'compare.only-fraction-shown': 'Of what both logs show, only the fraction differs.',
  'compare.limit-a': '--max-total-tokens holds the first run to {limit}; memory has room for more.',
  'compare.limit-b':
    '--max-total-tokens holds the second run to {limit}; memory has room for more.',
  'compare.flag': '{flag} {a} against {b}',
  'compare.flags': 'Launch arguments that differ: {flags}.',
  'compare.flags-more': 'Launch arguments that differ: {flags}, and {more} more.',
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
  'note.requests': '{requests} full-length requests',
  'note.missing': '{missing} missing',
  'note.left': '{left} left',

  'field.value': '{name}: {value}',
  'field.name': '{field}',
  'hover.title': '{form}',
  'hover.gib-label': '"GB" on this line means GiB (2^30 bytes).',
  'hover.check-agrees': 'as printed',
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
  'origin.default': '{flag} by default',
  'origin.assumption': 'assumed: {assumption}',

  'refusal.not-a-config': 'This is no JSON object of a size and depth that a model config has.',
  'refusal.missing-key':
    'The config has no {key}, and without it the memory of its attention is not known.',
  'refusal.missing-one-of':
    'The config has none of {keys}, and without one the memory of its attention is not known.',
  'refusal.unusable-value': '{key} in line {line} is {found}, which is no value that can be used.',
  'refusal.unknown-attention':
    '{key} in line {line} announces a kind of attention whose memory is not known.',
  'refusal.open-flag': 'What {flag} makes of the bytes per token of this model is not known.',
  'refusal.indivisible':
    'SGLang does not start so: {key} is {count}, which does not go with {ranks} ranks.',
  'refusal.not-together': 'SGLang does not start so: this release has no {flag} with {other}.',
  'refusal.not-in-release': 'This release has no {what}.',

  'plan.budgeted': '{cell} are budgeted.',
  'plan.by-dtype': 'Nothing says which dtype the cache has: {choices}.',
  'plan.in-dtype': '{cell} in {dtype}',
  'plan.rows-in-dtype': 'With --kv-cache-dtype {dtype}:',
  'plan.budgeted-window':
    '{cell} are budgeted: for a token of the full pool, with its share of the window pool.',
  'plan.allocated': '{budgeted} are budgeted, but the buffers take {allocated}.',
  'plan.with-draft': '{budgeted} are budgeted: {allocated} of the model and the rest of its draft.',
  'plan.slot': 'Each slot of state takes {slot}.',
  'plan.automatic': 'Without a flag the fraction is {fraction}.',
  'plan.automatic-multiplied': 'Without a flag the fraction is {fraction}, from {plain}.',
  'plan.minimum': 'Nothing fits below {minimum}.',
  'plan.does-not-fit':
    'No fraction fits: the weights take {weights}, and {total} are free before loading.',
  'plan.advised':
    'Start with {fraction}: the largest value that keeps {reserve} for graphs and activations. It holds at least one request of {length}.',
  'plan.advised-request':
    'Start with {fraction}: the smallest value that holds a request of {length}, which the automatic one does not. {left} stay free, less than this release would keep for graphs and activations: raise it only as far as needed.',
  'plan.advised-any-length':
    'Start with {fraction}: the largest value that keeps {reserve} for graphs, activations and the request table. How long a request can be is not known: give --context-length.',
  'plan.no-advice':
    'No fraction surely holds one request of {length} and keeps {reserve} for graphs and activations. The largest that keeps so much is {fraction}: it holds {tokens}.',
  'plan.no-room':
    'No fraction surely leaves a KV pool and {reserve} beside it for graphs and activations.',
  'plan.flags-missing': 'What is left cannot be known without {flags}.',
  'plan.advised-limit':
    'Start with {fraction}: the smallest value that holds the {limit} of --max-total-tokens. It keeps {reserve} for graphs and activations.',
  'plan.no-room-for-limit':
    'No fraction surely holds the {limit} of --max-total-tokens and keeps {reserve} for graphs and activations.',
  'plan.request-cost': 'One request of {length} costs {cost} on each rank.',
  'plan.request-table':
    'The request table takes up to {table} beside the pools; --context-length or --max-running-requests makes it smaller.',
  'plan.assumptions': 'Assumed: {assumptions}.',
  'plan.flags-not-counted': 'Not counted, though it may move the pools: {flags}.',
  'plan.flags-of-weights': 'The weights are as given, with {flags} in them.',
  'plan.flags-without-effect': 'Left out, as no pool depends on them: {flags}.',
  'plan.inputs-missing':
    'Tokens need --gpu-free and --weights: free memory before loading, and what the weights take of it.',

  'layout.agrees': 'The printed sizes are those of the config: {cell}.',
  'layout.agrees-pools':
    'The printed sizes are those of the config: {full} in the full pool, {window} in the window pool.',
  'layout.differs':
    'The config does not fit this log: it gives {expected}, the printed sizes {implied}.',
  'layout.dtypes': 'The printed sizes are those of {dtypes}.',
  'layout.dtypes-unasked':
    'The printed sizes are those of {dtypes}, for which neither the log nor the config asks: the hf_quant_config.json of the checkpoint may, or the config is not that of the model.',
  'layout.flag-without-effect':
    '{flag} has had no effect: the printed sizes are those of {dtypes}.',
  'layout.flag-in-effect': '{flag} is in effect: the printed sizes are those of {dtypes}.',
  'layout.flag-in-effect-printed': '{flag} is in effect: the log prints {dtype}.',
  'layout.flag-without-effect-printed': '{flag} has had no effect: the log prints {dtype}.',
  'layout.ranks': 'The printed sizes are those of {ranks} ranks.',
  'layout.other-model': 'The config is of {own}, the log of {shown}.',
  'layout.average':
    'At its busiest a request took {length} on average: {cost} on each rank, room for {requests}.',
  'layout.concurrency': 'Room for {requests} of {length} at once.',
  'layout.concurrency-groups':
    'Room for {requests} of {length} at once in each of {groups} groups.',
  'layout.concurrency-limited':
    'Room for {requests} of {length} at once, but no more than {most} run.',

  'page.engine': 'Engine',
  'page.release': 'Release',
  'page.model': 'Model',
  'page.parallel': 'Parallel',
  'page.ranks': 'Ranks',
  'page.lines': 'Lines',
  'page.ranks-seen': '{seen} seen',
  'page.ranks-of': '{seen} of {expected} seen',
  'page.ranks-alike': 'What is left differs by {gap} between ranks: too little to matter.',
  'page.lines-of': '{first} to {last}',
  'page.release-since': '{from} or later',
  'page.release-range': '{from} to {to}',
  'page.release-between': 'between {after} and {before}',
  'page.foreign': '{text}',
  'page.moved': 'Different: {names}.',
  'page.nothing-moved': 'No input of the pool differs beyond noise.',
  'page.tokens-against': '{a} in the first run, {b} in the second.',
  'page.tokens-unknown': 'These logs do not show the tokens of both runs.',
  'page.unknown': 'What these values come to cannot be known.',
  'page.short-name': '{short}',
  'page.metric': '{metric}',
  'page.shares-unknown': 'the log does not show all that shares the budget with the KV pool',
  'page.assumed': '{assumed}',
  'page.no-config':
    'The config.json of the model is needed to say where bytes per token come from.',
} as const satisfies Record<MessageId, string>;
