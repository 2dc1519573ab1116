import { providerPresets } from '../../backend/providers';
import { translate } from '../../core/base/translate';
import type { Options } from '../command';
import { choice, configOption, flag, jsonOption, option, secretsOption } from './options';
import { requestOptions } from './transcriptOptions';

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
  'base-url': option('URL', translate('Address to use instead of the provider’s own.')),
  'key-variable': option(
    'NAME',
    translate('Environment variable with the key, instead of the provider’s usual one.'),
  ),
  pruned: flag(translate('Prune the request first, like the command "prune".')),
  ...configOption,
  ...secretsOption,
  yes: flag(
    translate(
      'Send the request. Without this option, the command only shows the content, the receiver and the maximum cost.',
    ),
  ),
  ...jsonOption,
} as const satisfies Options;
