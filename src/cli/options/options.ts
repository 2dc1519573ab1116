import { translate } from '../../core/base/translate';
import { defaultPruneOptions } from '../../core/model/pruneConfig';
import type { Options } from '../command';

/** An option without a value. */
export const flag = (help: string) => ({ type: 'boolean', help }) as const;

/** An option with a value. `value` is its placeholder in the help, such as `FILE`. */
export const option = (value: string, help: string) => ({ type: 'string', value, help }) as const;

/** An option that takes one of a few values. */
export const choice = (value: string, choices: readonly string[], help: string) =>
  ({ type: 'string', value, help, choices }) as const;

// Options that several commands share.

export const jsonOption = {
  json: flag(translate('Print JSON.')),
} as const satisfies Options;

/** For commands whose figures depend on context windows, prices or cache rules. */
export const modelsOption = {
  models: option(
    'FILE',
    translate(
      'JSON file with context windows, prices and cache rules of models, in the format of the setting contextInspector.models.',
    ),
  ),
} as const satisfies Options;

export const conversationOption = {
  conversation: option(
    'N',
    translate('Number of the conversation, shown by "inspect --list". Default: the main one.'),
  ),
} as const satisfies Options;

export const configOption = {
  config: option(
    'FILE',
    translate(
      'JSON file with prune options, all optional: {0}.',
      Object.keys(defaultPruneOptions()).join(', '),
    ),
  ),
} as const satisfies Options;

/** For commands that look for sensitive data. */
export const scanOptions = {
  'no-personal-data': flag(translate('Search for credentials only, not for personal data.')),
} as const satisfies Options;

/** For commands that write a file. */
export const outputOptions = {
  out: option('FILE', translate('Write the result to this file.')),
  force: flag(translate('Replace an existing file. The transcript itself is never replaced.')),
} as const satisfies Options;

/** For commands that write or send texts of the transcript. */
export const secretsOption = {
  'keep-secrets': flag(translate('Keep credentials. Without this option each becomes [redacted: rule].')),
} as const satisfies Options;
