import { eventStream } from '../reading/decoders/eventStream';
import { type Store, sqliteDecoder } from '../reading/decoders/sqlite';
import { utf16 } from '../reading/decoders/utf16';
import { zstd } from '../reading/decoders/zstd';
import type { Decoder, DocumentFormat, LineFormat } from '../reading/format';
import type { KnownFormats } from '../reading/readFile';
import { aider, aiderHistory } from './aider';
import { amp } from './amp';
import { antigravity } from './antigravity';
import { antigravityTranscript } from './antigravityTranscript';
import { anthropicMessages, anthropicRequest } from './api/anthropicMessages';
import { apiDocument, messageList } from './api/apiDocument';
import { har, httpCapture } from './api/httpCapture';
import { lhar, lharDocument } from './api/lhar';
import { openaiChatConversations, openaiChatMessages, openaiChatRequest } from './api/openaiChat';
import { atif } from './atif';
import { claudeCode } from './claudeCode/claudeCode';
import { claudeResult, claudeStreamJson } from './claudeCode/claudeStreamJson';
import { cline } from './cline/cline';
import { clineStream } from './cline/clineStream';
import { codex } from './codex/codex';
import { codexExec } from './codex/codexExec';
import { continueSession } from './continueSession';
import { agentTraces, readAgentTraces } from './copilot/agentTraces';
import { chatReplay } from './copilot/chatReplay';
import { copilotEvents } from './copilot/copilotEvents';
import { copilotDebugLog } from './copilot/debugLog';
import { copilotSpans } from './copilot/spans';
import { usageSidecar } from './copilot/usageSidecar';
import { vscodeChat } from './copilot/vscodeChat';
import { vscodeChatLog } from './copilot/vscodeChatLog';
import { crush, readCrushStore } from './crush';
import { cursor } from './cursor';
import { devin, readDevinStore } from './devin';
import { droid } from './droid';
import { droidExec } from './droidExec';
import { entire } from './entire';
import { geminiChat, geminiLog } from './gemini/gemini';
import { geminiCheckpoint } from './gemini/geminiCheckpoint';
import { geminiResponses } from './gemini/geminiResponses';
import { geminiStreamJson } from './gemini/geminiStreamJson';
import { goose, gooseLines, readGooseStore } from './goose';
import { gptme } from './gptme';
import { grokBuild } from './grok/grokBuild';
import { grokFiles } from './grok/grokFiles';
import { hermes, hermesLines, hermesSession, readHermesStore } from './hermes';
import { iflow } from './iflow';
import { inspectArchive } from './inspect/inspectDecoder';
import { inspectLog } from './inspect/inspectLog';
import { kimiContext, kimiWire } from './kimi';
import { kimiRecords } from './kimiRecords';
import { kiro } from './kiro';
import { kiroSession, kiroSessionFiles } from './kiroSession';
import { langchain, langchainLines } from './langchain';
import { langfuse } from './langfuse';
import { managedAgents, managedAgentsLines } from './managedAgents/managedAgents';
import { miniSweAgent } from './miniSweAgent';
import { nanocoder } from './nanocoder';
import { opencode } from './opencode/opencode';
import { opencodeNotice } from './opencode/opencodeNotice';
import { opencodeRun } from './opencode/opencodeRun';
import { readOpencodeStore } from './opencode/opencodeStore';
import { openhands, openhandsLines } from './openhands/openhands';
import { otlp, otlpLines } from './otlp/otlp';
import { pi } from './pi/pi';
import { qwenCode } from './qwenCode';
import { shareGpt, shareGptLines } from './shareGpt';
import { sweAgent } from './sweAgent';
import { vibe, vibeFiles } from './vibe';
import { readZedStore, zed } from './zed/zed';

/**
 * Everything that the program can read. Each list is tried in order, and the first entry that matches reads the file,
 * so a format that is easily mistaken for another comes after it.
 *
 * To add a format:
 *
 * 1. Write a `LineFormat` (a file of JSON lines) or a `DocumentFormat` (one JSON document), both in reading/format.ts.
 *    Put it in a file next to this one, or in a folder for the agent if it needs more than two files. Start from a
 *    small one: cursor.ts reads lines, amp.ts a document.
 * 2. Read content with the readers of src/core/wire: they make the blocks and know the place of each text. First
 *    translate names that only your agent uses.
 * 3. Pass the messages to a `Thread` (common/thread.ts) in the order in which the model sees them: `add` for what is
 *    sent, `addReply` for what comes back, `replace` for what a compaction leaves, `addRequest` if every record repeats
 *    the whole context. It makes contexts and requests of them.
 * 4. Read usage with a dialect of wire/usage.ts, or add one there; `cacheIsApart` says whether the recorded input leaves
 *    out the cached tokens. Read times with `timeAt` and `epochAt` of base/json.ts.
 * 5. Add a line here, what the reader was checked with in checkedVersions.ts, a row in docs/formats.md, and, where the
 *    agent keeps its sessions in a folder of its own, a row in finder/agentLocations.ts.
 * 6. Add fixtures, which are the files in test/fixtures/FORMAT ID, and a test; test/unit/formats/conformance.test.ts checks
 *    every format against the same rules. `npm run test:unit -- conformance unread FORMAT` runs what concerns it.
 *
 * A file that is not JSON needs a `Decoder`, a database a `Store`.
 */
export const lineFormats: readonly LineFormat[] = [
  codex,
  codexExec,
  copilotEvents,
  copilotDebugLog,
  copilotSpans,
  usageSidecar,
  droid,
  droidExec,
  pi,
  lhar,
  kimiRecords,
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
  hermesLines,
  entire,
  managedAgentsLines,
  opencodeRun,
  antigravityTranscript,
  clineStream,
  cursor,
  gptme,
  openaiChatConversations,
  httpCapture,
  anthropicMessages,
  openaiChatMessages,
];

export const documentFormats: readonly DocumentFormat[] = [
  vscodeChat,
  chatReplay,
  grokBuild,
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
  kiroSession,
  vibe,
  continueSession,
  antigravity,
  hermes,
  hermesSession,
  zed,
  managedAgents,
  amp,
  aider,
  crush,
  devin,
  goose,
  nanocoder,
  agentTraces,
  anthropicRequest,
  openaiChatRequest,
  apiDocument,
  messageList,
];

/** The databases in which agents keep their sessions. */
const stores: readonly Store[] = [
  { agent: 'opencode', read: readOpencodeStore },
  { agent: 'Crush', read: readCrushStore },
  { agent: 'Goose', read: readGooseStore },
  { agent: 'Copilot', read: readAgentTraces },
  { agent: 'Hermes Agent', read: readHermesStore },
  { agent: 'Zed', read: readZedStore },
  { agent: 'Devin CLI', read: readDevinStore },
];

/** Decoders for files that are not plain JSON. */
export const decoders: readonly Decoder[] = [
  utf16,
  opencodeNotice,
  aiderHistory,
  sqliteDecoder(stores),
  inspectArchive,
  zstd,
  vscodeChatLog,
  grokFiles,
  kiroSessionFiles,
  vibeFiles,
  eventStream,
];

export const formats: KnownFormats = { decoders, documents: documentFormats, lines: lineFormats };

/** The ids of all formats, as `--format` takes them. */
export const formatIds: readonly string[] = [...lineFormats, ...documentFormats].map(({ id }) => id);
