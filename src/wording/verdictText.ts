/** English wording of verdicts: what became of a run, in one or two sentences. */
export const verdictText = {
  'verdict.ok': 'Ready with {tokens} in a KV pool of {pool} per rank.',
  'verdict.ok-window':
    'Ready with {tokens} in a full KV pool of {pool} and a window pool of {window} per rank.',
  'verdict.ok-replicas':
    'Ready with {all} over unequal replicas; the one accounted for here has {tokens} in a KV pool of {pool} per rank.',
  'verdict.ok-tokens': 'Ready with {tokens} in the pool of each rank.',
  'verdict.ok-plain': 'Ready.',
  'verdict.ok-short': '{ready} One request of the full context length is {context}: none can run.',
  'verdict.unnamed-ranks':
    '{verdict} {count} ranks stand here without their names; all print the same figures.',
  'verdict.mixed-servers':
    'No figures: several servers, or ranks without their names, wrote these lines side by side, and nothing tells which wrote which. Give each server a log of its own, or let each line start with its name.',
  'verdict.not-enough-memory':
    'Not enough memory: at a fraction of {fraction} the KV pool would get {rest}. Nothing fits below {minimum}.',
  'verdict.unseen-rank':
    '{verdict} The sizing saw {available} free after loading, less than any rank of this log: another rank has less, or something took memory after loading.',
  'verdict.not-enough-memory-plain':
    'Not enough memory for the KV pool at a fraction of {fraction}. This log does not show what was free both before and after loading.',
  'verdict.not-enough-memory-tokens':
    'Not enough memory: the budget of the KV pool comes to {tokens}. The fraction in effect leaves nothing for it.',
  'verdict.not-enough-memory-floor':
    'Not enough memory for the KV pool. This log does not show the fraction; nothing fits below {minimum}.',
  'verdict.not-enough-memory-bare':
    'Not enough memory for the KV pool. This log shows neither the fraction nor what was free both before and after loading.',
  'verdict.not-enough-memory-reserved':
    'Not enough memory for the KV pool at a fraction of {fraction}, although the weights alone need no more than {minimum}: a reservation or a state pool is subtracted first and takes the rest.',
  'verdict.not-enough-memory-reservation':
    'Not enough memory for the KV pool at a fraction of {fraction}: {reserved} are reserved first (line {line}). Nothing fits below {minimum}.',
  'verdict.state-short':
    'Not enough memory for the state pool: {rest} are left for state and KV cache together, and one slot of state takes {slot}.',
  'verdict.state-negative':
    'Not enough memory: the budget of state and KV cache comes to {rest}. Nothing fits below {minimum}.',
  'verdict.state-negative-plain':
    'Not enough memory: the budget of state and KV cache comes to {rest}.',
  'verdict.values': 'At a fraction of {fraction} the KV pool gets {rest}: {tokens}.',
  'verdict.load-oom':
    'Out of memory while loading weights. The memory fraction has no effect in this phase.',
  'verdict.pool-oom': 'Out of memory while allocating pools.',
  'verdict.graph-oom': 'Out of memory while capturing graphs.',
  'verdict.runtime-oom': 'Out of memory while serving.',
  'verdict.pool-exhausted': 'The KV pool ran out of tokens. This is not GPU memory.',
  'verdict.slots-exhausted': 'The request slots ran out. This is not GPU memory.',
  'verdict.host-oom': 'The host ran out of memory. This is not GPU memory.',
  'verdict.killed':
    'Killed by signal 9. The usual cause is that the host ran short of memory, which this log does not prove: look into dmesg.',
  'verdict.killed-cache':
    '{verdict} {flag} on each of {ranks} ranks asks for {node} of host memory.',
  'verdict.killed-pools': '{verdict} Caches of this server held {node} of host memory.',
  'verdict.host-asked': 'The host ran out of memory: {asked} asked for. This is not GPU memory.',
  'verdict.no-space':
    'A file system is full: a disk, or /dev/shm, which holds memory of the host. This is not GPU memory.',
  'verdict.workspace':
    'The workspace of FlashInfer is too small: a buffer of {asked} did not fit. More free memory does not help: raise SGLANG_FLASHINFER_WORKSPACE_SIZE.',
  'verdict.draft-sizing':
    'Not enough memory for the KV pool of the draft model, after the pools of the target.',
  'verdict.window-cap':
    'Not enough memory: the window pool is to take {cap}, and the budget for all pools is {rest}.',
  'verdict.unified-small':
    'Not enough memory: one request of the full length needs {floor}, and the budget for all pools is {budget}.',
  'verdict.state-few':
    'Not enough memory: at a fraction of {fraction} the state pool has no slot for a request. Nothing fits below {minimum}.',
  'verdict.not-enough-memory-claimed':
    'Not enough memory for the KV pool, with a fraction of {fraction} in the arguments.',
  'verdict.rank-imbalance': 'The ranks start with unequal free memory.',
  'verdict.not-memory': 'Failed. The error is none that is known to be about memory.',
  'verdict.not-shown': 'The server failed. Nothing in this log says that memory was the reason.',
  'verdict.incomplete': 'The log ends before the server was ready.',
  'verdict.incomplete-with': '{end} By then each rank had {pools}.',
  'verdict.incomplete-before': '{end} By its config each rank would get {pools}.',
  'pool.tokens-in': '{tokens} in a KV pool of {pool}',
  'pool.tokens-of': '{tokens}, of {full} that fit',
  'pool.tokens': 'room for {tokens}',
  'pool.cache': 'a KV pool of {pool}',
  'pool.window': 'a window pool of {pool}',
  'pool.state': '{pool} of state',
  'verdict.not-enough-memory-open':
    'Not enough memory for the KV pool at a fraction of {fraction}. Nothing fits below {minimum}.',
  'verdict.device-oom': '{where}: {figures}.',
  'verdict.device-oom-plain': '{where}.',
  'where.unknown': 'Out of memory on the device',
  'where.start': 'Out of memory at the start, before the weights',
  'where.load': 'Out of memory while loading weights',
  'where.load-draft': 'Out of memory while loading the draft model, after the pools of the target',
  'where.pools': 'Out of memory while allocating pools',
  'where.after-pools': 'Out of memory after the pools, before the first graph',
  'where.capture': 'Out of memory while capturing graphs',
  'where.capture-of': 'Out of memory while capturing graphs of {graph}',
  'where.warm-up': 'Out of memory while warming up',
  'where.serving': 'Out of memory while serving',
  'oom.missing': '{asked} asked for, {free} free, {missing} missing',
  'oom.in-pieces': '{asked} asked for with {free} free, but in pieces',
  'oom.asked': '{asked} asked for',
  'verdict.pool-full':
    'The KV pool is full: {running} hold {used} ({each} each), {waiting} wait. This is not GPU memory.',
  'verdict.pool-retracts':
    'The KV pool is full and gives requests back: {running} hold {used} ({each} each). This is not GPU memory.',
  'verdict.pool-retracted':
    'The KV pool was full and gave requests back ({times} in this log); at the end it holds {now}. This is not GPU memory.',
  'verdict.window-full':
    'The window pool is full: {running} hold {used} ({each} each), {waiting} wait. This is not GPU memory.',
  'verdict.window-retracts':
    'The window pool is full and gives requests back: {running} hold {used} ({each} each). This is not GPU memory.',
  'verdict.state-full':
    'The slots of state are full: {running} hold {used} of them, {waiting} wait, while tokens are left. This is not GPU memory: raise --max-mamba-cache-size.',
  'verdict.state-retracts':
    'The slots of state are full and requests are given back: {running} hold {used} of them, while tokens are left. This is not GPU memory: raise --max-mamba-cache-size.',
  'verdict.no-token-left':
    'The KV pool has no token left even for one request. This is not GPU memory: fewer or shorter requests, or a larger pool.',
  'verdict.tokens-short':
    'The KV pool has {available} left of {needed} asked for. This is not GPU memory: fewer running requests, or a larger pool.',
  'verdict.slots-short':
    '{needed} asked for a slot; slots left: {available}. This is not GPU memory: raise --max-running-requests.',
  'verdict.slots-short-used':
    '{needed} asked for a slot; slots left: {available}, with {used} in a pool of {pool}. This is not memory: raise --max-running-requests.',
  'verdict.host-refused': 'Not enough host memory: {asked} asked for, {left}. {cure}',
  'host.gross': '{usable} usable of {free} free, since 10 GiB are kept back',
  'host.net': '{free} free beside 10 GiB that are kept back',
  'host.fits': '{flag} fits.',
  'host.fits-each': '{flag} fits; each of {ranks} ranks takes so much.',
  'host.below-device':
    'Up to 0.5.14 it has to be larger than the KV pool, {pool} on each rank, which does not fit: lower --mem-fraction-static or leave the hierarchical cache off.',
  'host.none-fits': 'This is not GPU memory.',
  'verdict.host-killed':
    'The host ran out of memory, with {node} of it in caches of this server. This is not GPU memory.',
  'verdict.unbalanced':
    'The ranks start with unequal free memory: {least} on the fullest, {local} on another.',
  'verdict.unbalanced-draft':
    'The draft worker found unequal free memory, because the target had filled the cards. No other process is to blame.',
  'verdict.incomplete-in': 'The log ends before the server was ready ({phase}).',
  'verdict.other-engine': 'A server of vLLM wrote this: its memory is not accounted for here.',
  'verdict.incomplete-draft': 'The log ends while the draft worker starts.',
  'verdict.failed-later': 'The server was ready and failed later; the log does not show why.',
  'verdict.failed-later-at':
    'The server was ready and failed later; its error starts on line {line}.',
  'verdict.failed-later-cut':
    'The server was ready and failed later; the log ends on line {line}, where its error starts.',
  'verdict.ready-served': 'Serving from a pool of {tokens}.',
  'verdict.host-pool-one': 'Host memory for caches: {node}.',
  'verdict.host-pool':
    'Host memory for caches: {each} on each of {ranks} ranks, {node} on the node.',

  'problem.not-enough-memory': '{summary} {cure}',
} as const;
