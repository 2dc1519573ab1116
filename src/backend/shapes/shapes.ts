import type { Protocol } from '../../core/model/conversation';
import { anthropicShape } from './anthropicShape';
import { geminiShape } from './geminiShape';
import { openaiChatShape } from './openaiChatShape';
import { openaiResponsesShape } from './openaiResponsesShape';
import type { Shape } from './shape';

export const shapes: Readonly<Record<Protocol, Shape>> = {
  anthropic: anthropicShape,
  openaiChat: openaiChatShape,
  openaiResponses: openaiResponsesShape,
  gemini: geminiShape,
};
