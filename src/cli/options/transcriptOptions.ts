import { translate } from '../../core/base/translate';
import { formatIds } from '../../core/formats/registry';
import type { Options } from '../command';
import { choice, conversationOption, modelsOption, option } from './options';

/** For commands that read one transcript. */
export const formatOption = {
  format: choice('NAME', formatIds, translate('Read the file in this format, instead of the detected one.')),
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
