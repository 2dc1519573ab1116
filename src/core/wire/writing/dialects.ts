import type { Protocol } from '../../model/protocol';
import { anthropic } from '../anthropic/writing';
import type { Dialect } from './dialect';
import { gemini } from '../gemini/writing';
import { openaiChat } from '../openaiChat/writing';
import { openaiResponses } from '../openaiResponses/writing';

export const dialects: Readonly<Record<Protocol, Dialect>> = {
  anthropic,
  openaiChat,
  openaiResponses,
  gemini,
};
