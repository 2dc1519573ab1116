import { claudeCodeCopy } from './claudeCodeCopy';
import { opencodeCopy } from './opencodeCopy';
import type { OpenRecordEditor } from './recordEditor';
import { toolResultEdits } from './toolResults';

/** Formats whose results stand in them as a provider's request has them, and nowhere else. */
const wireCopy: OpenRecordEditor = pruned => ({ prune: value => toolResultEdits(value, pruned) });

/** How a pruned copy is made of each format that has one, by the format's id. */
export const copyFormats: Readonly<Record<string, OpenRecordEditor>> = {
  'claude-code': claudeCodeCopy,
  opencode: opencodeCopy,
  'anthropic-request': wireCopy,
  'anthropic-messages': wireCopy,
  'openai-chat-request': wireCopy,
  'openai-chat-messages': wireCopy,
  'openai-chat-conversations': wireCopy,
  'message-list': wireCopy,
  'api-calls': wireCopy,
  'api-capture': wireCopy,
  har: wireCopy,
  lhar: wireCopy,
  'lhar-document': wireCopy,
};
