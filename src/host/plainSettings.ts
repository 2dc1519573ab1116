import { isArray } from '../core/base/json';
import { translate } from '../core/base/translate';
import { defaultUnpackLimits, type UnpackLimits } from '../core/reading/decoders/unpacking';
import { personalDataSetting, sessionsFoldersSetting, unpackingSection } from './manifest';

/** A setting as it is used, with one sentence for each value that is not used. */
export interface ReadSetting<Value> {
  readonly value: Value;
  readonly problems: readonly string[];
}

const invalid = (name: string): string => translate('The setting {0} is invalid.', name);

/** The largest values that the manifest allows. */
const largestRatio = 1_000_000;
const largestMegabytes = 4_000;

function isCount(value: unknown, largest: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= largest;
}

/** How far packed transcripts may unpack. What is no number, or not a possible one, has its default. */
export function unpackLimitsFrom(settings: {
  readonly ratio: unknown;
  readonly megabytes: unknown;
}): ReadSetting<UnpackLimits> {
  const { ratio, megabytes } = settings;
  const { ratio: usualRatio, bytes: usualBytes } = defaultUnpackLimits;
  return {
    value: {
      ratio: isCount(ratio, largestRatio) ? ratio : usualRatio,
      bytes: isCount(megabytes, largestMegabytes) ? megabytes * 1_000_000 : usualBytes,
    },
    problems: [
      ...(ratio === undefined || isCount(ratio, largestRatio) ? [] : [invalid(`${unpackingSection}.ratio`)]),
      ...(megabytes === undefined || isCount(megabytes, largestMegabytes)
        ? []
        : [invalid(`${unpackingSection}.megabytes`)]),
    ],
  };
}

/** Folders that are searched for sessions in addition to those of the agents: the texts among what is set. */
export function sessionFoldersFrom(value: unknown): ReadSetting<readonly string[]> {
  const folders = isArray(value) ? value.filter(folder => typeof folder === 'string') : [];
  const isValid = value === undefined || (isArray(value) && folders.length === value.length);
  return { value: folders, problems: isValid ? [] : [invalid(sessionsFoldersSetting)] };
}

/** Whether data about persons is searched for: only `false` itself turns that off. */
export function personalDataFrom(value: unknown): ReadSetting<boolean> {
  const isValid = value === undefined || typeof value === 'boolean';
  return { value: value !== false, problems: isValid ? [] : [invalid(personalDataSetting)] };
}
