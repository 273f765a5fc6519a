/** `npm run bench [MiB]`: builds the product and its benchmarks, then measures ratios in one run. */
import { spawnSync } from 'node:child_process';
import { build } from 'esbuild';
import { commonOptions } from './build.mjs';
import { releasesFolder } from './releases.mjs';

const outfile = 'dist/test/bench.cjs';
const built = spawnSync(process.execPath, ['scripts/build.mjs', '--production'], {
  stdio: 'inherit',
});
if (built.status !== 0) {
  process.exit(1);
}
await build({
  ...commonOptions(false),
  entryPoints: ['test/bench/main.ts'],
  platform: 'node',
  outfile,
  logLevel: 'error',
});
const run = spawnSync(process.execPath, [outfile, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, SGLANG_RELEASES: releasesFolder() },
});
process.exit(run.status ?? 1);
