import { readFile } from 'node:fs/promises';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import {
  defaultPruneOptions,
  parsePruneOptions,
  pruneMemberNames,
  type PruneOptions,
} from '../core/model/pruneConfig';
import { parseUserModels, type UserModels } from '../core/tokens/userModels';
import { describeFileError } from '../node/fileByteSource';

/** Something that the user has to put right; told in one sentence, without a stack. */
export class UsageError extends Error {}

/** 0: all is well. 1: something was found, or a budget is exceeded. 2: wrong usage, or a file that cannot be read. */
export type ExitCode = 0 | 1 | 2;

export interface Command {
  readonly name: string;
  /** The words behind the command's name, as the usage shows them. */
  readonly synopsis: string;
  /** What the command does, and a line for each option. */
  readonly help: string;
  /** Throws UsageError. */
  run(words: readonly string[]): Promise<ExitCode>;
}

/** Options of all commands. */
export const commonOptions = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsConfig['options'];

/** Options of the commands that speak of one request. */
export const requestOptions = {
  conversation: { type: 'string' },
  request: { type: 'string' },
} as const satisfies ParseArgsConfig['options'];

export const requestHelp = `  --conversation N  the conversation, by its number in the list of inspect --list; the main one when left out
  --request N       the request of the conversation, counted from 0; the last one when left out
`;

export const jsonHelp = `  --json            print as JSON
`;

export const configHelp = `  --config FILE     prune options as JSON, each optional:
                    ${pruneMemberNames.slice(0, 5).join(', ')},
                    ${pruneMemberNames.slice(5).join(', ')}
`;

/** The option of the commands whose figures depend on windows, prices or cache rules; see withTranscript. */
export const modelsOption = { models: { type: 'string' } } as const satisfies ParseArgsConfig['options'];

export const modelsHelp = `  --models FILE     windows, prices and cache rules of models as JSON, in the shape of the setting
                    contextInspector.models
`;

export function readArguments<const Options extends NonNullable<ParseArgsConfig['options']>>(
  words: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...words], allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(firstSentence(error instanceof Error ? error.message : String(error)));
  }
}

/** Node explains a wrong option in several lines; the first sentence says what is wrong. */
function firstSentence(message: string): string {
  return `${message.split(/[.\n]/, 1)[0] ?? ''}.`;
}

/** The only file of a command. */
export function onlyFile({ name, synopsis }: Command, positionals: readonly string[]): string {
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0) {
    throw new UsageError(`Expected: ${usageLine(name, synopsis)}`);
  }
  return file;
}

export function usageLine(name: string, synopsis: string): string {
  return `context-inspector ${name} ${synopsis}`;
}

export function readIndex(option: string, text: string): number {
  if (!/^\d+$/.test(text)) {
    throw new UsageError(`${option} takes a whole number from 0, not "${text}".`);
  }
  return Number(text);
}

export function readOptionalIndex(option: string, text: string | undefined): number | undefined {
  return text === undefined ? undefined : readIndex(option, text);
}

/** The JSON value of a file. */
export async function readJsonFile(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${path}: ${describeFileError(error)}`);
  });
  try {
    // Editors on Windows write a byte order mark.
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return value;
  } catch {
    throw new UsageError(`${path}: This is not JSON.`);
  }
}

/** Prune options of a file, or the defaults without one. */
export async function readPruneConfig(path: string | undefined): Promise<PruneOptions> {
  if (path === undefined) {
    return defaultPruneOptions();
  }
  const parsed = parsePruneOptions(await readJsonFile(path));
  if (!parsed.ok) {
    throw new UsageError(`${path}: ${parsed.problem}`);
  }
  return parsed.value;
}

/** What the user says of models in a file; nothing without one. */
export async function readModels(path: string | undefined): Promise<UserModels> {
  if (path === undefined) {
    return {};
  }
  const { models, problems } = parseUserModels(await readJsonFile(path));
  if (problems.length > 0) {
    throw new UsageError(`${path}: ${problems.join(' ')}`);
  }
  return models;
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
