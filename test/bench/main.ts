/** `npm run bench`: ratios measured side by side in one run, printed with their targets. */
import { benchActivation } from './activationBench';
import { benchAppend } from './appendBench';
import { benchHover } from './hoverBench';
import { benchLog } from './logBench';
import { benchBigReport, benchReport } from './reportBench';
import { benchSource } from './sourceBench';

const root = process.cwd();
const sizeMiB = Number(process.argv[2] ?? 256);

async function main(): Promise<void> {
  const ratios = [
    ...benchActivation(root),
    ...benchLog(root, sizeMiB),
    ...(await benchAppend(root)),
    ...benchHover(root),
    ...(await benchSource(root)),
    ...benchReport(root),
    ...(await benchBigReport(root)),
  ];
  for (const { what, ours, theirs, target } of ratios) {
    const ratio = ours / theirs;
    const verdict = ratio <= target ? 'within' : 'above';
    process.stdout.write(
      `${what}: ${ours.toFixed(1)} / ${theirs.toFixed(1)} = ${ratio.toFixed(2)} (${verdict} the target of ${target})\n`,
    );
  }
}

void main();
