import { claudeCodeCopy } from './claudeCodeCopy';
import { opencodeCopy } from './opencodeCopy';
import type { OpenRecordEditor } from './recordEditor';
import { toolResultEdits } from './toolResults';

/** Formats that contain results exactly as a provider's request does, and nowhere else. */
const wireCopy: OpenRecordEditor = pruned => ({ prune: value => toolResultEdits(value, pruned) });

/** How to make a pruned copy, by the id of each format that supports it. */
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
