import { clientMarkers } from '../../content/classification';
import {
  clearedNotice,
  katuNotice,
  maskedOutput,
  oldOutputNotice,
  supersededNotice,
  uselessNotice,
} from '../../content/pruneNotices';

/** A pattern for a notice with any numbers in it. */
function noticePattern(notice: string): string {
  return notice.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replace(/\d+/g, String.raw`\d+`);
}

/** More texts by which readers of single formats recognise the kind of a text. */
const formatMarkers = [
  // Claude Code, Copilot
  '</?system-reminder>',
  '</?conversation-summary>',
  // Copilot's debug log and spans
  '\\.{0,3}\\[truncated(?:, original \\d+ chars)?\\]',
  'Tool loaded\\.',
  // Codex
  '(?<![^"])You are',
  // Cline and Roo Code
  '\\] Result:',
  '<user_input mode="\\w+">',
  '</user_input>',
  // Antigravity
  '</?USER_REQUEST>',
  'Model Selection.{0,4}from .{1,40}? to .{1,60}?\\.(?=\\s|$)',
  // Gemini CLI
  'Workspace Directories:\\*\\*',
  // opencode
  'What did we do so far\\?',
  'The following tool was executed by the user',
  '\\[Tool execution was interrupted\\]',
  'Exporting session',
  // Beginnings of ids and versions by which opencode, Amp, iFlow and ATIF are recognised, with any continuation
  '(?<!\\w)(?:ses_(?=\\w)|T-(?=[\\da-f])|response-(?=\\d)|ATIF)',
  // Groups of events by which Claude Managed Agents and Kimi are recognised, and OpenHands' kinds, including newer ones
  '^(?:user|agent|session|span|system|config|context|full_compaction|llm|profile|tools|turn|usage)\\.(?=\\w{1,60}$)',
  '(?:Event$(?<=^\\w{1,60})|^Condensation(?=\\w{0,60}$))',
  // Providers' streams and addresses
  '\\[DONE\\]',
  '(?<![\\w])(?:event|data|id|retry): ?(?=[\\w{\\[]|$)',
  '(?:api\\.anthropic\\.com|api\\.openai\\.com|generativelanguage\\.googleapis\\.com)',
  '/v1(?:beta)?/models/[a-z][\\w.-]{1,50}',
  '/v1(?:beta)?/[a-z_]{1,20}(?:/[a-z_]{1,20})?',
  'count_?tokens',
  '(?:stream)?[gG]enerateContent',
  'data:[\\w.+-]+/[\\w.+-]+(?:;[\\w=.+-]+)*;base64,',
  // An attachment of a chunked Inspect log is named by its index.
  'attachment://\\d{1,9}(?![\\w-])',
  '(?:file|skill|attachment|tc|https?)://',
  // oh-my-pi's selectors
  ':(?:raw|conflicts)\\b',
  // Patches
  '\\*\\*\\* (?:Begin|End) (?:Patch|of File)',
  '\\*\\*\\* (?:Update|Add|Delete) File:',
  // mini-SWE-agent
  'mini-swe-agent(?:-\\d+(?:\\.\\d+)*)?',
  '```(?:mswea_bash_command|bash)(?!\\w)',
  // LangChain's kinds of messages
  'Message(?:Chunk)?$(?<=^[^\\s"]{0,60})',
  // JSON
  '(?<![\\w"])(?:true|false|null)(?![\\w"])',
  // Times, dates and ids change with each request and may cause a cache loss.
  '(?<=\\d{4}-\\d\\d-\\d\\d)T(?=\\d\\d:\\d\\d)',
  '(?<=:\\d\\d(?:\\.\\d{1,9})?)Z',
  '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}(?=\\.? \\d|,? \\d)',
  '(?<=\\d ?)[AaPp]\\.?[Mm]\\b',
  '(?:req|trace|span|run|call|session)(?=[-_][a-zA-Z\\d]{8})',
  '(?<![\\da-fA-F])[\\da-fA-F]{8}-(?:[\\da-fA-F]{4}-){3}[\\da-fA-F]{12}(?![\\da-fA-F])',
] as const;

/** Lines of Aider's history with version, model, time and usage. */
const aiderLines = [
  '(?<=^\\uFEFF?)# aider chat started at .*',
  '^> (?:Aider v\\S+|(?:Main model|Model): \\S+)',
  '^> Tokens: .*',
];

function sourceOf(pattern: RegExp): string {
  // A marker is kept everywhere, also in JSON inside a string.
  return pattern.source.replace(/(^|[|(])\^/g, '$1');
}

const notices = [
  clearedNotice,
  supersededNotice,
  uselessNotice,
  maskedOutput,
  oldOutputNotice(0),
  katuNotice(0),
];

/** Texts that are kept because readers recognise other texts by them. */
export const markerSource: string = [
  ...notices.map(noticePattern),
  ...clientMarkers.filter(({ flags }) => !flags.includes('i')).map(sourceOf),
  ...formatMarkers,
  ...aiderLines,
].join('|');

/** The same for texts recognised regardless of case. */
export const caselessMarkerSource: string = clientMarkers
  .filter(({ flags }) => flags.includes('i'))
  .map(sourceOf)
  .join('|');
