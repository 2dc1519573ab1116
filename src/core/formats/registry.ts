import { anthropicRequest } from './anthropicRequest';
import { claudeCode } from './claudeCode';
import type { DocumentFormat, LineFormat } from './format';
import { openaiChatConversations, openaiChatMessages, openaiChatRequest } from './openaiChat';

/**
 * Every format the program reads, in the order in which they are tried; the first match wins. A new format is a file
 * beside this one and a line here.
 */
export const lineFormats: readonly LineFormat[] = [claudeCode, openaiChatConversations, openaiChatMessages];

export const documentFormats: readonly DocumentFormat[] = [anthropicRequest, openaiChatRequest];

/** The names of all formats, for sentences like "It reads …". */
export const formatNames: readonly string[] = [...lineFormats, ...documentFormats].map(({ name }) => name);
