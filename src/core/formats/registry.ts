import { aider } from './aider';
import { amp } from './amp';
import { anthropicMessages, anthropicRequest } from './api/anthropicMessages';
import { apiDocument, messageList } from './api/apiDocument';
import { atif } from './atif';
import { chatReplay } from './copilot/chatReplay';
import { claudeCode } from './claudeCode/claudeCode';
import { claudeResult, claudeStreamJson } from './claudeCode/claudeStreamJson';
import { cline } from './cline/cline';
import { clineStream } from './cline/clineStream';
import { codex } from './codex/codex';
import { codexExec } from './codex/codexExec';
import { copilotEvents } from './copilot/copilotEvents';
import { crush } from './crush';
import { cursor } from './cursor';
import { droid } from './droid';
import type { DocumentFormat, LineFormat } from '../reading/format';
import { geminiLog, geminiChat } from './gemini/gemini';
import { geminiCheckpoint } from './gemini/geminiCheckpoint';
import { geminiResponses } from './gemini/geminiResponses';
import { geminiStreamJson } from './gemini/geminiStreamJson';
import { goose, gooseLines } from './goose';
import { har, httpCapture } from './api/httpCapture';
import { iflow } from './iflow';
import { inspectLog } from './inspect/inspectLog';
import { kimiWire, kimiContext } from './kimi';
import { kiro } from './kiro';
import { langchain, langchainLines } from './langchain';
import { langfuse } from './langfuse';
import { lhar, lharDocument } from './api/lhar';
import { miniSweAgent } from './miniSweAgent';
import { openaiChatConversations, openaiChatMessages, openaiChatRequest } from './api/openaiChat';
import { opencode } from './opencode/opencode';
import { opencodeRun } from './opencode/opencodeRun';
import { openhands, openhandsLines } from './openhands/openhands';
import { otlp, otlpLines } from './otlp/otlp';
import { pi } from './pi/pi';
import { qwenCode } from './qwenCode';
import { shareGpt, shareGptLines } from './shareGpt';
import { sweAgent } from './sweAgent';
import { vscodeChat } from './copilot/vscodeChat';

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
