/** The command line twin `kvlens`: the same core as the extension, in a terminal and in CI. */
import { Command, CommanderError } from 'commander';
import { version } from '../../package.json';
import { registerAnnotate } from './annotate';
import { registerCheck } from './check';
import { registerCompare } from './compare';
import { registerExplain } from './explain';
import { registerForms } from './forms';
import { printError, UsageError } from './output';
import { registerPlan } from './plan';
import { registerSolve } from './solve';

const program = new Command('kvlens')
  .description(
    'What every memory number of an SGLang server is worth, where it came from, what to change.',
  )
  .version(version, '--version', 'the version of kvlens')
  .exitOverride()
  .configureOutput({
    writeErr: text => process.stderr.write(text),
    outputError: (text, write) => {
      write(`kvlens: ${text.replace(/^error: /, '')}`);
    },
  });

registerExplain(program);
registerCompare(program);
registerSolve(program);
registerCheck(program);
registerPlan(program);
registerForms(program);
registerAnnotate(program);

// `kvlens … | head` closes the pipe early: that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') {
    throw error;
  }
  process.exit();
});

/** Exit codes: 0 analysed, 1 problems found, 2 usage or unreadable input. */
program.parseAsync().catch((error: unknown) => {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else if (error instanceof UsageError) {
    printError(error);
    process.exitCode = 2;
  } else {
    throw error;
  }
});
