import { formatNumber, formatShortNumber } from '../../src/core/base/format';
import { translate } from '../../src/core/base/translate';
import { requestNumber } from '../../src/core/view/requestNames';
import type { MessageKind } from '../state/conversationMessages';
import type { Gone } from '../state/conversationRows';
import type { ConversationPart } from '../state/viewState';

const goneAt: Readonly<Record<Gone['why'], (request: string) => string>> = {
  compacted: request => translate('compacted at #{0}', request),
  pruned: request => translate('pruned at #{0}', request),
  rewound: request => translate('rewound at #{0}', request),
  left: request => translate('not sent since #{0}', request),
  neverSent: () => translate('never sent'),
};

/** The session as a person reads it. */
export const conversationWords = {
  label: translate('Conversation'),
  request: translate('Request'),
  message: translate('Message'),
  tokens: translate('Tokens'),
  cost: translate('Cost'),
  costHint: translate(
    'List prices of writing it, reading it and writing it again, up to the selected request',
  ),
  show: translate('Show'),
  parts: {
    all: translate('All messages'),
    talk: translate('Prompts and replies'),
    edits: translate('Edits'),
    marked: translate('Secrets, errors, stale edits'),
  } satisfies Readonly<Record<ConversationPart, string>>,
  nothing: translate('No such message in this conversation.'),
  kinds: {
    head: translate('System prompt and tools'),
    notes: translate('Notes'),
    prompt: translate('Prompt'),
    reply: translate('Reply'),
    thinking: translate('Thinking'),
    call: translate('Call'),
    result: translate('Result'),
    summary: translate('Summary'),
    image: translate('Image'),
  } satisfies Readonly<Record<MessageKind, string>>,
  gone: ({ why, slot }: Gone): string =>
    slot < 0 && why !== 'neverSent' ? translate('not in this request') : goneAt[why](requestNumber(slot)),
  foldedRequests: (count: number): string =>
    translate('{0, plural, one {# request} other {# requests}}, folded', count),
  foldedMessages: (count: number): string =>
    translate('{0, plural, one {# message} other {# messages}}, folded', count),
  foldedCalls: (count: number): string =>
    translate('{0, plural, one {# call} other {# calls}}, folded', count),
  range: (first: number, last: number): string => `${requestNumber(first)}–${requestNumber(last)}`,
  lost: translate('cache lost'),
  compacted: translate('Compacted'),
  cleared: translate('Results pruned'),
  change: (before: number, after: number): string =>
    translate('{0} → {1} tokens', formatNumber(before), formatNumber(after)),
  compare: translate('Compare'),
  end: (slot: number): string => translate('Request {0} ends here', requestNumber(slot)),
  more: (lines: number): string => translate('{0, plural, one {# more line} other {# more lines}}', lines),
  moreText: translate('more'),
  less: translate('less'),
  allText: translate('Full text in the details'),
  lines: (count: number): string => translate('{0, plural, one {# line} other {# lines}}', count),
  entries: (count: number): string =>
    translate('{0, plural, one {JSON, # entry} other {JSON, # entries}}', count),
  json: translate('JSON'),
  noText: translate('no text'),
  noResult: translate('no result'),
  failed: translate('failed'),
  open: (name: string): string => translate('Open {0}', name),
  close: (name: string): string => translate('Close {0}', name),
  reveal: translate('Reveal'),
  hide: translate('Mask again'),
  stale: (read: string, changed: string): string =>
    translate('stale edit: read at #{0}, changed at #{1}', read, changed),
  subagent: (requests: number, money: string | undefined): string =>
    money === undefined
      ? translate('{0, plural, one {# request} other {# requests}} of its own', requests)
      : translate('{0, plural, one {# request} other {# requests}} and {1} of its own', requests, money),
  openSubagent: translate('Open its conversation'),
  shortTokens: (count: number): string => formatShortNumber(count),
  little: (money: string): string => `<${money}`,
} as const;

/** Texts that are shown in their form. */
export const readingWords = {
  done: translate('done'),
  open: translate('not done'),
  picture: (name: string): string => (name === '' ? translate('[image]') : translate('[image: {0}]', name)),
  added: translate('added'),
  removed: translate('removed'),
} as const;
