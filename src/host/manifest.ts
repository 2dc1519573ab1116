import type { PruneOptions } from '../core/model/pruneConfig';

/** Every name that package.json and the code must agree on; a test compares the two. */

export const viewType = 'contextInspector.transcript';

export const commandIds = {
  open: 'contextInspector.open',
  openAsText: 'contextInspector.openAsText',
} as const;

export const outputChannelName = 'Context Inspector';

/** Scheme of the read-only documents that show one record of a transcript too large for a text editor. */
export const recordScheme = 'context-inspector-record';

/** The settings are the members of PruneOptions, each under this section; their defaults are `defaultPruneOptions`. */
export const pruneSection = 'contextInspector.prune';

export const pruneSettingKeys = [
  'ruleSet',
  'enabled',
  'protectTokens',
  'minimumTokens',
  'toolOutputMaxChars',
  'protectedTools',
  'replacement',
  'measure',
] as const satisfies readonly (keyof PruneOptions)[];
