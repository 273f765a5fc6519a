/**
 * From tokens to requests: rows of the request-to-token table and the number of running requests,
 * by release (reference 1.4). Leaves out the bytes of the table: that is the budget's formula.
 */
import type { EraTable } from './eraTable';

const context = 'max_total_num_tokens / context_length';

/** Where `--max-running-requests` is not given. */
export const defaultRequests: EraTable = [
  { from: '0.1.3', text: `rows = int(${context} * 256)\nrequests = rows` },
  { from: '0.1.22', text: `rows = max(int(${context} * 512), 2048)\nrequests = rows` },
  { from: '0.2.7', text: `rows = min(max(int(${context} * 512), 2048), 5120)\nrequests = rows` },
  {
    from: '0.3.1.post1',
    text: `
rows = min(max(int(${context} * 512), 2048), 4096)
requests = min(max_total_num_tokens // 2 // token, rows)
`,
  },
  {
    from: '0.5.10',
    text: `
estimated = max(min(int(${context} * 512), 4096), 2048)
rows = min(estimated, max_total_num_tokens // 2 // token)
requests = rows
`,
  },
];

/** Where it is given. */
export const givenRequests: EraTable = [
  {
    from: '0.1.3',
    text: `
rows = max_running_requests
requests = min(max_running_requests // dp_size, rows)
`,
  },
  {
    from: '0.5.10',
    text: `
estimated = max(min(int(${context} * 512), 4096), 2048)
rows = min(max_running_requests // attn_dp_size, estimated)
requests = rows
`,
  },
  {
    from: '0.5.14',
    text: `
rows = min(max_running_requests // attn_dp_size, max_total_num_tokens // 2 // token)
requests = rows
`,
  },
  {
    from: '0.5.23',
    text: `
rows = min(max(1, max_running_requests // attn_dp_size), max_total_num_tokens // 2 // token)
requests = rows
`,
  },
];

/** State slots limit both. */
export const stateLimit = `
rows = min(rows, slots // slots_per_request)
requests = min(requests, slots // slots_per_request)
`;
