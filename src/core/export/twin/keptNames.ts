import readerWords from 'words:readers';
import { agentTools } from '../../content/toolSources';
import { knownKinds } from '../../formats/checkedVersions';

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter(word => word !== ''));
}

/** Names of tools that come with agents; the tools of a user's servers and extensions are not among them. */
export const builtInTools: ReadonlySet<string> = new Set([
  ...agentTools.map(({ name }) => name),
  'developer__shell',
  'developer__text_editor',
  'platform__manage_schedule',
]);

/** Names of providers and JSON schemas that the readers do not look for. */
const others = `
  additionalProperties allOf anyOf array const default description enum exclusiveMinimum integer items maximum
  maxItems maxLength minimum minItems minLength nullable number oneOf properties propertyNames required $schema strict
  $ref $defs definitions ARRAY BOOLEAN INTEGER NUMBER OBJECT STRING
  on off end_turn max_output_tokens max_tokens pause_turn stop_sequence stop_reason stopReason finishReason length
  content_filter STOP MAX_TOKENS SAFETY low medium high minimal xhigh ephemeral auto any required disabled enabled
  openai google deepseek mistral xai moonshot qwen bedrock vertex azure openrouter copilot github-copilot
  openai-codex google-gemini-cli anthropic-messages openai-responses openai-completions standard priority batch
  assistant user system tool developer model human ai gpt function observation bing chatgpt bard claude
  service_tier server_tool_use web_search_requests iterations speed inference_geo message_stop content_block_stop
  ping input_audio_tokens audio_tokens accepted_prediction_tokens rejected_prediction_tokens text_tokens
  image_tokens base64 png jpeg gif webp pdf image/png image/jpeg image/gif image/webp application/pdf
  application/json text/event-stream GET POST HTTP/1.1 HTTP/2 content-type done completed in_progress failed
  HumanMessage AIMessage SystemMessage ToolMessage FunctionMessage ChatMessage RemoveMessage ToolMessageChunk
  SystemMessageChunk <synthetic> pending success cancelled commentary final_answer analysis cli vscode exec main
  external internal USER_EXPLICIT USER_IMPLICIT MODEL SYSTEM
`;

/**
 * Keys of members and whole values that are kept: names that the readers look for, known kinds of records, names of the
 * wire formats. Nothing that a user or a model wrote.
 */
export const keptWords: ReadonlySet<string> = wordsOf(`${readerWords} ${others} ${knownKinds.join(' ')}`);

/** File extensions that are kept. */
export const fileExtensions = [
  'astro|bash|bat|bin|bmp|c|cc|cfg|clj|cmake|conf|cpp|cs|css|csv|d|dart|db|diff|dll|doc|docx|eex|elm|env|erl|ex',
  'exe|exs|fs|gif|go|gradle|graphql|gz|h|hcl|hpp|hs|html|ico|ini|ipynb|jar|java|jpeg|jpg|js|json|jsonl|jsx|kt|kts',
  'less|lock|log|lua|m|map|md|mdx|mjs|ml|mod|mp3|mp4|nix|patch|pdf|php|pl|plist|png|properties|proto|ps1|py|pyi|r',
  'rb|rs|rst|sass|scala|scss|sh|sol|sql|sqlite|sum|svelte|svg|swift|tar|tex|tf|tmp|toml|ts|tsx|ttf|txt|vue|wasm',
  'webp|whl|woff|woff2|xls|xlsx|xml|yaml|yml|zig|zip|zsh',
].flatMap(line => line.split('|'));

/** Public names, and words of licences, that are one token with the sign before them and have no twin. */
export const publicNames: ReadonlySet<string> = new Set([
  'githubusercontent',
  'MERCHANTABILITY',
  'NONINFRINGEMENT',
]);
