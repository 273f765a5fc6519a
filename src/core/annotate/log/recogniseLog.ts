/** Tells from the beginning of a text whether it is the log of an SGLang server. */
import { readLogText } from '../../log/readLog';
import type { FormOwner } from '../../sglang/form/lineForm';

/** UTF-16 units of a text that are looked at. */
export const recognisedLength = 256 * 1024;

/** Owners whose lines occur in logs of other programs as well. */
const otherPrograms: ReadonlySet<FormOwner> = new Set(['torch', 'system', 'vllm']);

/** True where any line has a form that only an SGLang server, its forks or our patch prints. */
export function isServerLog(head: string): boolean {
  const { records } = readLogText(head.slice(0, recognisedLength));
  return records.some(({ form }) => !otherPrograms.has(form.owner));
}
