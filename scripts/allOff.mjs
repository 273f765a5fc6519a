// Runs the suites inside the editor with every `.enabled` setting off. A test of a feature must fail
// then, or it does not see the feature. Fails when a test passes that test/host/withoutSwitch.json
// does not name: tests of commands, of switches themselves, and of the report page as a page.
// Usage: node scripts/allOff.mjs [host | ui] [--only PART-OF-A-FILE-NAME]

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { projectRoot } from './projectRoot.mjs';
import { runHostTier } from './vscode/hostTier.mjs';
import { newestVersion } from './vscode/install.mjs';
import { runWindowTier } from './vscode/windowTier.mjs';

// Staging the extension turns the defaults off; the suites are less patient with what never comes.
process.env['KVLENS_ALL_OFF'] = '1';

const { values: flags, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: '' } },
});
const tiers = {
  host: () => runHostTier({ suite: 'host', launch: 'stand-in', version: newestVersion }),
  ui: () => runWindowTier({ only: flags.only }),
};

const file = path.join(projectRoot, 'test', 'host', 'withoutSwitch.json');
const withoutSwitch = JSON.parse(await readFile(file, 'utf8'));
await build({ production: true, tests: true });
for (const [tier, run] of Object.entries(tiers)) {
  if (wanted.length > 0 && !wanted.includes(tier)) continue;
  const { results, trouble, output } = await run();
  if (trouble !== undefined) console.log(`${trouble}\n${output.slice(-4_000)}`);
  const passed = results.filter(({ state }) => state === 'passed').map(({ name }) => name);
  const failed = results.filter(({ state }) => state === 'failed').length;
  const blind = passed.filter(name => !withoutSwitch[tier].some(start => name.startsWith(start)));
  console.log(
    `${tier}: ${results.length} tests with every switch off: ${failed} fail, ` +
      `${passed.length - blind.length} are of what has no switch, ${blind.length} see no feature`,
  );
  for (const name of blind) console.log(`  passes: ${name}`);
  if (blind.length > 0 || failed === 0) process.exitCode = 1;
}
