import { tokens } from '../../src/core/base/countWords';
import { formatNumber, formatSeconds } from '../../src/core/base/format';
import { translate } from '../../src/core/base/translate';
import type { AskForm, AskSide, ShownComparison } from '../../src/protocol/askMessages';

/** Asking a model about the request. */
export const askWords = {
  refusals: {
    untrusted: translate('You cannot ask models in an untrusted workspace.'),
    off: translate('Asking models is turned off in the settings.'),
  },
  loading: translate('Looking for models…'),
  intro: translate('Nothing is sent until you press Send.'),
  form: translate('Action'),
  forms: {
    replay: translate('Replay the request'),
    compare: translate('Compare full and pruned'),
    count: translate('Count tokens exactly'),
    probe: translate('Probe the cache'),
    question: translate('Ask about this context'),
  } satisfies Readonly<Record<AskForm, string>>,
  formTexts: {
    replay: translate('Sends the request again and shows the answer beside the recorded one.'),
    compare: translate('Sends the request as recorded and as pruned, and compares the next actions.'),
    count: translate('Asks the provider to count the request. Each large block needs one more call.'),
    probe: translate(
      'Sends the request twice, asking for short answers, and shows how much was read from the cache.',
    ),
    question: translate(
      'Sends the context followed by your question. Neither the question nor the answer is saved.',
    ),
  } satisfies Readonly<Record<AskForm, string>>,
  provider: translate('Provider'),
  byModel: translate('Detect from model'),
  model: translate('Model'),
  pruned: translate('Pruned, as shown in the Prune tab'),
  times: translate('Runs each'),
  calls: translate('Max. calls'),
  question: translate('Question'),
  prepare: translate('Preview'),
  preparing: translate('Preparing…'),
  planTitle: translate('Not sent yet'),
  to: translate('To'),
  target: (provider: string, destination: string, isLocal: boolean): string =>
    isLocal
      ? translate('{0}, {1} on this machine', provider, destination)
      : translate('{0}, {1}', provider, destination),
  requests: translate('Requests'),
  atMost: (count: number): string =>
    count === 1 ? formatNumber(1) : translate('at most {0}', formatNumber(count)),
  size: translate('Size per request'),
  tokens: translate('Tokens per request'),
  answer: translate('Answer'),
  answerTokens: (count: number): string => translate('at most {0}', tokens(count)),
  costAtMost: (money: string): string => translate('at most {0} at list prices', money),
  countPrice: translate('no list price for counting'),
  notes: translate('Differences from the recorded request'),
  keepSecrets: translate('Keep credentials this time'),
  lacksKey: (provider: string, destination: string): string =>
    translate('No API key is stored for {0} at {1}.', provider, destination),
  setKey: translate('Set API key…'),
  send: translate('Send'),
  discard: translate('Do not send'),
  running: (run: number, of: number): string =>
    of <= 1
      ? translate('Waiting for the model…')
      : translate('Waiting for the model, {0} of {1}…', formatNumber(run), formatNumber(of)),
  counting: translate('Counting…'),
  cancelled: translate('Cancelled. Partial output is below.'),
  resultTitle: (form: string, request: string): string => translate('{0}: request {1}', form, request),
  sides: {
    recorded: translate('As recorded'),
    pruned: translate('Pruned'),
    first: translate('First request'),
    second: translate('Second request'),
  } satisfies Readonly<Record<AskSide, string>>,
  thinking: translate('Thinking'),
  input: translate('Input'),
  inputTokens: (count: number): string => translate('{0}, exact', tokens(count)),
  readTokens: (read: number, predicted: number | undefined): string =>
    predicted === undefined
      ? tokens(read)
      : translate('{0}, expected {1}', tokens(read), formatNumber(predicted)),
  output: translate('Output'),
  noUsage: translate('The provider reported no usage.'),
  time: translate('Time'),
  seconds: (first: number | undefined, all: number): string =>
    first === undefined
      ? formatSeconds(all)
      : translate('{1} in total, first output after {0}', formatSeconds(first), formatSeconds(all)),
  sameAction: translate('Same next action as recorded'),
  sameTools: translate('Same tools, different arguments'),
  otherAction: translate('Different next action'),
  noRecorded: translate('The transcript has no answer to compare with.'),
  sideBySide: translate('Recorded and replayed'),
  recordedAnswer: translate('Recorded'),
  replayedAnswer: translate('Replayed'),
  noText: translate('no text'),
  noCall: translate('no call'),
  differences: {
    none: translate('same call'),
    arguments: translate('different arguments'),
    name: translate('different tool'),
    missing: translate('only one call'),
  } satisfies Readonly<Record<ShownComparison['calls'][number]['difference'], string>>,
  tallyTitle: translate('Next action'),
  tallyRecorded: translate('As recorded: same as in the transcript'),
  tallyPruned: translate('Pruned: same as in the transcript'),
  tallyAlike: translate('Pruned: same as unpruned'),
  tally: (count: number, of: number): string =>
    of === 0 ? translate('unknown') : translate('{0} of {1}', formatNumber(count), formatNumber(of)),
  countedTotal: (count: number): string => translate('{0}, exact, counted by the provider', tokens(count)),
  countedCalls: (count: number): string => translate('{0, plural, one {# call} other {# calls}}', count),
  taken: translate('This total is now used for the request.'),
  notTaken: translate(
    'The request keeps its figure, because it is recorded or because this count is for another model or for a part of the request.',
  ),
  blocks: translate('Counted blocks'),
  saved: (file: string): string => translate('Saved in {0}', file),
  openReplays: translate('Open replay…'),
} as const;
