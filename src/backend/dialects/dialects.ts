import type { Protocol } from '../../core/model/conversation';
import { anthropic } from './anthropic';
import type { Dialect } from './dialect';
import { gemini } from './gemini';
import { openaiChat } from './openaiChat';
import { openaiResponses } from './openaiResponses';

export const dialects: Readonly<Record<Protocol, Dialect>> = {
  anthropic,
  openaiChat,
  openaiResponses,
  gemini,
};
