import { aider } from './aider';
import { amp } from './amp';
import { anthropicMessages } from './anthropicMessages';
import { anthropicRequest } from './anthropicRequest';
import { apiDocument, messageList } from './apiDocument';
import { atif } from './atif';
import { chatReplay } from './chatReplay';
import { claudeCode } from './claudeCode';
import { claudeResult, claudeStreamJson } from './claudeStreamJson';
import { cline } from './cline';
import { clineStream } from './clineStream';
import { codex } from './codex';
import { codexExec } from './codexExec';
import { copilotEvents } from './copilotEvents';
import { crush } from './crush';
import { cursor } from './cursor';
import { droid } from './droid';
import type { DocumentFormat, LineFormat } from './format';
import { geminiLog, geminiChat } from './gemini';
import { geminiCheckpoint } from './geminiCheckpoint';
import { geminiResponses } from './geminiResponses';
import { geminiStreamJson } from './geminiStreamJson';
import { goose, gooseLines } from './goose';
import { har } from './har';
import { httpCapture } from './httpCapture';
import { iflow } from './iflow';
import { inspectLog } from './inspectLog';
import { kimiWire, kimiContext } from './kimi';
import { kiro } from './kiro';
import { langchain, langchainLines } from './langchain';
import { langfuse } from './langfuse';
import { lhar, lharDocument } from './lhar';
import { miniSweAgent } from './miniSweAgent';
import { openaiChatConversations, openaiChatMessages, openaiChatRequest } from './openaiChat';
import { opencode } from './opencode';
import { opencodeRun } from './opencodeRun';
import { openhands, openhandsLines } from './openhands';
import { otlp, otlpLines } from './otlp';
import { pi } from './pi';
import { qwenCode } from './qwenCode';
import { shareGpt, shareGptLines } from './shareGpt';
import { sweAgent } from './sweAgent';
import { vscodeChat } from './vscodeChat';

/**
 * Every format the program reads, in the order in which they are tried; the first match wins. A new format is a file
 * beside this one and a line here.
 */
export const lineFormats: readonly LineFormat[] = [
  codex,
  codexExec,
  copilotEvents,
  droid,
  pi,
  lhar,
  kimiWire,
  kimiContext,
  geminiLog,
  qwenCode,
  claudeStreamJson,
  geminiStreamJson,
  geminiResponses,
  iflow,
  claudeCode,
  openhandsLines,
  otlpLines,
  shareGptLines,
  langchainLines,
  gooseLines,
  opencodeRun,
  clineStream,
  cursor,
  openaiChatConversations,
  httpCapture,
  anthropicMessages,
  openaiChatMessages,
];

export const documentFormats: readonly DocumentFormat[] = [
  vscodeChat,
  chatReplay,
  opencode,
  geminiChat,
  geminiCheckpoint,
  har,
  lharDocument,
  claudeResult,
  inspectLog,
  sweAgent,
  miniSweAgent,
  openhands,
  atif,
  langchain,
  otlp,
  langfuse,
  shareGpt,
  cline,
  kiro,
  amp,
  aider,
  crush,
  goose,
  anthropicRequest,
  openaiChatRequest,
  apiDocument,
  messageList,
];

/** The names of all formats, for sentences like "It reads …". */
export const formatNames: readonly string[] = [...lineFormats, ...documentFormats].map(({ name }) => name);
