/** English wording of what solving for a quantity says beside its value. */
export const solveText = {
  'solve.beyond-total':
    'that is more than the {total} that are free before loading: no such server fits',
  'solve.contradiction': 'these values cannot hold together in the budget of this run',
  'solve.free-grows':
    '{available} free after loading is more than the {total} free before it; weights only take memory',
  'solve.no-draft': 'the log shows no pool of a draft',
  'solve.no-equation': 'no equation of the budget gives it from others: only a log prints it',
  'solve.not-printed': 'the log does not print it, and no equation of the budget gives it',
  'solve.no-end':
    'the log does not show what is free at the end, nor both the graphs and the request-to-token table',
  'solve.no-fraction': 'that is above 1: no fraction gives it',
  'solve.no-host-pool': 'the log shows no host pool that a ratio sizes',
  'solve.no-share': 'the log does not show what share of the tokens the window pool holds',
  'solve.no-weights':
    'the log does not show the weights beside the free memory before and after loading',
  'solve.no-window': 'the log shows no pool of a sliding window',
  'solve.one-replica': 'the log shows one replica: maxTotalTokens is all',
  'solve.unlike-replicas': 'the replicas of this run do not have equal pools',
} as const;
