import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../src/cli/command';
import { cache } from '../../src/cli/commands/cache';
import { check } from '../../src/cli/commands/check';
import { count } from '../../src/cli/commands/count';
import { diff } from '../../src/cli/commands/diff';
import { inspect } from '../../src/cli/commands/inspect';
import { prune } from '../../src/cli/commands/prune';
import { replay } from '../../src/cli/commands/replay';
import { printNotice } from '../../src/cli/output/terminal';
import type { Form, Produced } from './outputs';

/** Limits that every transcript exceeds. */
const budget = {
  requests: 'every',
  maxTotalTokens: 1,
  maxRestrictedFindings: 0,
  maxCacheBreaks: 0,
  minFrozenShare: 1,
};

/** In the folder of the worker. */
const names = { transcript: 'transcript', budget: 'budget.json' };

interface CommandOutput {
  readonly command: typeof inspect;
  /** The words of the command before and after the file. */
  readonly words: readonly string[];
  readonly form: Form;
}

const target = ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5'];

/** Commands that send nothing. A new one is one entry here. */
const commandOutputs = {
  inspect: { command: inspect, words: ['--workers', '1'], form: 'terminal' },
  'inspect --json': { command: inspect, words: ['--workers', '1', '--json'], form: 'terminal' },
  'inspect --list': { command: inspect, words: ['--list'], form: 'terminal' },
  'inspect --usage-only': { command: inspect, words: ['--usage-only'], form: 'terminal' },
  cache: { command: cache, words: [], form: 'terminal' },
  'cache --json': { command: cache, words: ['--json'], form: 'terminal' },
  diff: { command: diff, words: ['0', '1'], form: 'terminal' },
  prune: { command: prune, words: [], form: 'terminal' },
  'prune --json': { command: prune, words: ['--json'], form: 'terminal' },
  check: { command: check, words: ['--budget', names.budget], form: 'terminal' },
  'check --format github': {
    command: check,
    words: ['--budget', names.budget, '--format', 'github'],
    form: 'workflow',
  },
  replay: { command: replay, words: target, form: 'terminal' },
  count: { command: count, words: target, form: 'terminal' },
} as const satisfies Readonly<Record<string, CommandOutput>>;

export type CommandName = keyof typeof commandOutputs;

const isCommandName = (name: string): name is CommandName => name in commandOutputs;

export const commandNames: readonly CommandName[] = Object.keys(commandOutputs).filter(isCommandName);

/** Runs a command on a transcript and returns its output, even if it refuses the file. */
export async function runCommand(
  name: CommandName,
  folder: string,
  bytes: Uint8Array,
): Promise<Produced['texts']> {
  const { command, words, form }: CommandOutput = commandOutputs[name];
  const file = join(folder, names.transcript);
  const budgetFile = join(folder, names.budget);
  writeFileSync(file, bytes);
  if (!existsSync(budgetFile)) {
    writeFileSync(budgetFile, JSON.stringify(budget));
  }
  const printed: string[] = [];
  const streams = [process.stdout, process.stderr].map(stream => ({
    stream,
    own: Object.getOwnPropertyDescriptor(stream, 'write'),
  }));
  const take = (text: unknown): boolean => printed.push(String(text)) > 0;
  streams.forEach(({ stream }) => Object.assign(stream, { write: take }));
  try {
    await command.run([file, ...words.map(word => (word === names.budget ? budgetFile : word))]);
  } catch (error) {
    if (!(error instanceof UsageError)) {
      throw error;
    }
    await printNotice(`${error.message}\n`);
  } finally {
    streams.forEach(({ stream, own }) =>
      own === undefined
        ? Reflect.deleteProperty(stream, 'write')
        : Object.defineProperty(stream, 'write', own),
    );
  }
  // The name of the file is the fuzzer's own.
  return [{ form, text: printed.join('').replaceAll(file, 'FILE') }];
}
