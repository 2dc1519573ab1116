import { providerPresets } from '../backend/providers';
import { translate } from '../core/base/translate';
import { formatIds } from '../core/formats/registry';
import { defaultPruneOptions } from '../core/model/pruneConfig';
import type { Options } from './command';

/** An option without a value. */
export const flag = (help: string) => ({ type: 'boolean', help }) as const;

/** An option with a value, for which `value` stands in the help, such as `FILE`. */
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
      'JSON file with context windows, prices and cache rules of models, in the form of the setting contextInspector.models.',
    ),
  ),
} as const satisfies Options;

/** For commands that read one transcript. */
export const formatOption = {
  format: choice(
    'NAME',
    formatIds,
    translate('Read the file in this format, in place of the one that its content shows.'),
  ),
} as const satisfies Options;

export const conversationOption = {
  conversation: option(
    'N',
    translate('Number of the conversation, as "inspect --list" shows it. Default: the main one.'),
  ),
} as const satisfies Options;

/** For commands about one request. */
export const requestOptions = {
  ...conversationOption,
  request: option(
    'N',
    translate(
      'Index of the request in the conversation, counted from 0: request 1 is --request 0. Default: the last one.',
    ),
  ),
  ...modelsOption,
  ...formatOption,
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

/** The ids of all providers, as `--provider` takes them. */
const providers = providerPresets.map(({ id }) => id);
export const providerNames = providers.join(', ');

/** For commands that send a request to a model or to a counting service. */
export const sendOptions = {
  ...requestOptions,
  provider: choice(
    'NAME',
    providers,
    translate('Where to send the request: {0}. Default: detected from the model.', providerNames),
  ),
  model: option('ID', translate('Model to ask. Default: the recorded one.')),
  'base-url': option('URL', translate("Address to use in place of the provider's own.")),
  'key-variable': option(
    'NAME',
    translate("Environment variable with the key, in place of the provider's usual one."),
  ),
  pruned: flag(translate('Prune the request first, as the command "prune" shows it.')),
  ...configOption,
  ...secretsOption,
  yes: flag(
    translate(
      'Send the request. Without this option the command only shows what would be sent, where, and the maximum cost.',
    ),
  ),
  ...jsonOption,
} as const satisfies Options;
