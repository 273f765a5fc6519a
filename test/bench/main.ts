/** `npm run bench`: ratios measured side by side in one run, printed with their targets. */
import { benchHover } from './hoverBench';
import { benchLog } from './logBench';

const root = process.cwd();
const sizeMiB = Number(process.argv[2] ?? 256);

for (const { what, ours, theirs, target } of [...benchLog(root, sizeMiB), ...benchHover(root)]) {
  const ratio = ours / theirs;
  const verdict = ratio <= target ? 'within' : 'above';
  process.stdout.write(
    `${what}: ${ours.toFixed(1)} ms / ${theirs.toFixed(1)} ms = ${ratio.toFixed(2)} (${verdict} the target of ${target})\n`,
  );
}
