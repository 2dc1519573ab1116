import { parseJson } from '../../core/base/json';
import { translate } from '../../core/base/translate';
import { defaultPruneOptions, parsePruneOptions, type PruneOptions } from '../../core/model/pruneConfig';
import { parseUserModels, type UserModels } from '../../core/tokens/userModels';
import { readRegular } from '../../node/files/fileByteSource';
import { describeFileError } from '../../node/files/fileErrors';
import { UsageError } from '../command';

// Every function here throws UsageError for an invalid value.

/** A whole number, `least` or more; `otherwise` if the option is not given. */
export function readWhole<Otherwise>(
  option: string,
  text: string | undefined,
  least: 0 | 1,
  otherwise: Otherwise,
): number | Otherwise {
  if (text === undefined) {
    return otherwise;
  }
  if (!/^\d+$/.test(text) || Number(text) < least) {
    throw new UsageError(translate('{0} takes a whole number from {1}, not "{2}".', option, least, text));
  }
  return Number(text);
}

/** An amount of US dollars; undefined if the option is not given. */
export function readDollars(option: string, text: string | undefined): number | undefined {
  if (text !== undefined && !/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) {
    throw new UsageError(
      translate('{0} takes an amount in US dollars, such as 0.5, not "{1}".', option, text),
    );
  }
  return text === undefined ? undefined : Number(text);
}

export function readOneOf<Name extends string>(option: string, text: string, names: readonly Name[]): Name {
  const name = names.find(known => known === text);
  if (name === undefined) {
    throw new UsageError(translate('{0} takes one of {1}, not "{2}".', option, names.join(', '), text));
  }
  return name;
}

type Parsed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string };

/** The text of a file. The error names the file. */
export async function readTextFile(path: string): Promise<string> {
  const bytes = await readRegular(path).catch((error: unknown) => {
    throw new UsageError(`${path}: ${describeFileError(error)}`);
  });
  // Editors on Windows write a byte order mark.
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

/** The content of a JSON file. Every error names the file. */
export async function readJsonFile<Value>(
  path: string,
  parse: (value: unknown) => Parsed<Value>,
): Promise<Value> {
  const json = parseJson(await readTextFile(path));
  if (json === undefined) {
    throw new UsageError(`${path}: ${translate('This is not JSON.')}`);
  }
  const parsed = parse(json);
  if (!parsed.ok) {
    throw new UsageError(`${path}: ${parsed.problem}`);
  }
  return parsed.value;
}

/** The prune options of a file, or the defaults without one. */
export async function readPruneConfig(path: string | undefined): Promise<PruneOptions> {
  return path === undefined ? defaultPruneOptions() : readJsonFile(path, parsePruneOptions);
}

/** The user's model settings in a file; empty without one. */
export async function readModels(path: string | undefined): Promise<UserModels> {
  return path === undefined
    ? {}
    : readJsonFile(path, value => {
        const { models, problems } = parseUserModels(value);
        return problems.length === 0
          ? { ok: true, value: models }
          : { ok: false, problem: problems.join(' ') };
      });
}

/** Throws UsageError if two options are given that exclude each other. */
export function refuse(areBothGiven: boolean, one: string, other: string): void {
  if (areBothGiven) {
    throw new UsageError(translate('Use either {0} or {1}, not both.', one, other));
  }
}
