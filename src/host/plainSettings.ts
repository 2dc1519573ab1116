import { isArray } from '../core/base/json';
import { translate } from '../core/base/translate';
import { addedFoldersFrom } from '../core/finder/addedFolders';
import type { Machine } from '../core/finder/agentLocations';
import type { AddedFolder } from '../core/finder/pathMapping';
import { type UnpackLimits, defaultUnpackLimits } from '../core/reading/decoders/unpacking';
import { type WasteKind, wasteKinds } from '../core/waste/wasteKinds';
import {
  hiddenWasteSetting,
  indexSetting,
  liveSection,
  personalDataSetting,
  sessionsFoldersSetting,
  unpackingSection,
} from './manifest';

/** A setting as it is used, with one sentence for each value that is not used. */
export interface ReadSetting<Value> {
  readonly value: Value;
  readonly problems: readonly string[];
}

const invalid = (name: string): string => translate('The setting {0} is invalid.', name);

/** The largest values that the manifest allows. */
const largestRatio = 1_000_000;
const largestMegabytes = 4_000;
const bytesPerMegabyte = 1_000_000;

/** A whole number from 1 to the largest, or the usual one where it is not set or no such number. */
function countFrom(name: string, value: unknown, largest: number, usual: number): ReadSetting<number> {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= largest
    ? { value, problems: [] }
    : { value: usual, problems: value === undefined ? [] : [invalid(name)] };
}

/** How far packed transcripts may unpack. What is no number, or not a possible one, has its default. */
export function unpackLimitsFrom(settings: {
  readonly ratio: unknown;
  readonly megabytes: unknown;
}): ReadSetting<UnpackLimits> {
  const usual = defaultUnpackLimits;
  const ratio = countFrom(`${unpackingSection}.ratio`, settings.ratio, largestRatio, usual.ratio);
  const megabytes = countFrom(
    `${unpackingSection}.megabytes`,
    settings.megabytes,
    largestMegabytes,
    usual.bytes / bytesPerMegabyte,
  );
  return {
    value: { ratio: ratio.value, bytes: megabytes.value * bytesPerMegabyte },
    problems: [...ratio.problems, ...megabytes.problems],
  };
}

/** Folders that are searched for sessions in addition to those of the agents: the texts among what is set. */
export function sessionFoldersFrom(value: unknown, machine: Machine): ReadSetting<readonly AddedFolder[]> {
  const { folders, isValid } = addedFoldersFrom(value, machine);
  return { value: folders, problems: isValid ? [] : [invalid(sessionsFoldersSetting)] };
}

/** The kinds of waste that no list shows: those among what is set. */
export function hiddenWasteFrom(value: unknown): ReadSetting<readonly WasteKind[]> {
  const named = isArray(value) ? value : [];
  const kinds = wasteKinds.filter(kind => named.includes(kind));
  const isValid = value === undefined || (isArray(value) && new Set(named).size === kinds.length);
  return { value: kinds, problems: isValid ? [] : [invalid(hiddenWasteSetting)] };
}

/** What is on unless the user turns it off: only `false` itself does. */
function onFrom(name: string, value: unknown): ReadSetting<boolean> {
  const isValid = value === undefined || typeof value === 'boolean';
  return { value: value !== false, problems: isValid ? [] : [invalid(name)] };
}

/** Whether data about persons is searched for. */
export const personalDataFrom = (value: unknown): ReadSetting<boolean> => onFrom(personalDataSetting, value);

/** Whether there is an index over all sessions. */
export const hasIndexFrom = (value: unknown): ReadSetting<boolean> => onFrom(indexSetting, value);

/** When the status bar shows the session that an agent is writing: after the user has opened such a session once, or always. */
export const statusBarModes = ['afterFirstUse', 'always', 'never'] as const;

export interface LiveSettings {
  readonly statusBar: (typeof statusBarModes)[number];
  /** Whether a message says that the cache was lost for a cause that the user can mend. */
  readonly cacheNotice: boolean;
}

/** What is shown of the session that an agent is writing. What is no such value has its default. */
export function liveSettingsFrom(settings: {
  readonly statusBar: unknown;
  readonly cacheNotice: unknown;
}): ReadSetting<LiveSettings> {
  const mode = statusBarModes.find(name => name === settings.statusBar);
  const { cacheNotice } = settings;
  const isNotice = cacheNotice === undefined || typeof cacheNotice === 'boolean';
  return {
    value: { statusBar: mode ?? 'afterFirstUse', cacheNotice: cacheNotice === true },
    problems: [
      ...(mode === undefined && settings.statusBar !== undefined
        ? [invalid(`${liveSection}.statusBar`)]
        : []),
      ...(isNotice ? [] : [invalid(`${liveSection}.cacheNotice`)]),
    ],
  };
}
