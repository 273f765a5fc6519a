/**
 * The length that requests of a run had on average while most tokens were in use, from a decode line:
 * tokens in use over running requests. What requests share of a prefix counts once there.
 */
import type { Run } from '../log/run';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';
import { printedAt } from './figure';

/** Tokens of a request, as whole tokens around the mean; undefined without a busy decode line. */
export function averageRequest({ records }: Run): Quantity | undefined {
  const busiest = records.reduce<{ used: number; running: number; at: number } | undefined>(
    (best, { form, fields }, at) => {
      const used = Number((fields['used'] ?? fields['full'])?.value ?? 0);
      const running = Number(fields['running']?.value ?? 0);
      const isDecode = form.id === 'decode-batch' || form.id === 'decode-batch-old';
      return isDecode && running >= 1 && used > (best?.used ?? 0) ? { used, running, at } : best;
    },
    undefined,
  );
  const record = busiest && records[busiest.at];
  if (busiest === undefined || record === undefined || busiest.used < busiest.running) {
    return undefined;
  }
  const mean = busiest.used / busiest.running;
  return {
    interval: { lo: Math.floor(mean), hi: Math.ceil(mean) },
    unit: units.token,
    basis: 'proved',
    assumptions: [],
    provenance: [printedAt(record)],
    nominal: Math.round(mean),
  };
}
