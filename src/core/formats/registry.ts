import { anthropicRequest } from './anthropicRequest';
import { claudeCode } from './claudeCode';
import { codex } from './codex';
import { codexExec } from './codexExec';
import type { DocumentFormat, LineFormat } from './format';
import { openaiChatConversations, openaiChatMessages, openaiChatRequest } from './openaiChat';
import { opencode } from './opencode';

/**
 * Every format the program reads, in the order in which they are tried; the first match wins. A new format is a file
 * beside this one and a line here.
 */
export const lineFormats: readonly LineFormat[] = [
  codex,
  codexExec,
  claudeCode,
  openaiChatConversations,
  openaiChatMessages,
];

export const documentFormats: readonly DocumentFormat[] = [opencode, anthropicRequest, openaiChatRequest];

/** The names of all formats, for sentences like "It reads …". */
export const formatNames: readonly string[] = [...lineFormats, ...documentFormats].map(({ name }) => name);
