import { readerWords } from './readerNames';

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter(word => word !== ''));
}

/** Names of tools that come with agents; the tools of a user's servers and extensions are not among them. */
export const builtInTools: ReadonlySet<string> = wordsOf(`
  Agent AskUserQuestion Bash BashOutput Edit EnterPlanMode EnterWorktree ExitPlanMode Glob Grep KillBash KillShell LS
  LSP ListMcpResourcesTool MultiEdit Monitor NotebookEdit NotebookRead Read ReadMcpResourceTool SendMessage Skill
  SlashCommand StructuredOutput Task TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate TeamCreate TeamDelete
  TodoRead TodoWrite ToolSearch WebFetch WebSearch Write
  apply_patch exec exec_command local_shell request_user_input send_input shell shell_command spawn_agent
  update_plan view_image wait wait_agent web_search write_stdin close_agent resume_agent unified_exec
  bash edit glob grep list lsp multiedit patch read skill task todoread todowrite webfetch websearch write codesearch
  invalid question batch
  access_mcp_resource ask_followup_question attempt_completion browser_action codebase_search condense
  execute_command fetch_instructions insert_content list_code_definition_names list_files new_rule new_task
  plan_mode_respond read_file replace_in_file search_and_replace search_files summarize_task switch_mode use_mcp_tool
  write_to_file apply_diff update_todo_list read_files run_commands editor
  activate_skill ask_user cli_help complete_task delegate_to_agent enter_plan_mode exit_plan_mode get_internal_docs
  glob google_web_search list_directory read_many_files replace run_shell_command save_memory search_file_content
  update_topic web_fetch write_file write_todos todo_write
  create_directory create_file fetch_webpage file_search get_changed_files get_errors get_terminal_output grep_search
  insert_edit_into_file list_dir manage_todo_list multi_replace_string_in_file read_notebook replace_string_in_file
  run_in_terminal run_task runSubagent runTests semantic_search think vscode_searchExtensions_internal
  report_intent view create str_replace read_bash write_bash stop_bash list_bash store_memory sql
  Create Execute FileSearch
  browser execute_bash execute_ipython_cell finish str_replace_editor task_tracker terminal file_editor
  developer__shell developer__text_editor platform__manage_schedule fs_read fs_write execute_bash use_aws
  ReadFile WriteFile StrReplaceFile Shell SearchWeb FetchURL SetTodoList Think
  oracle finder librarian edit_file undo_edit delete_file codebase_search_agent Search fetch ls
  python bash_session web_browser submit find memory recall remember knowledge
`);

/** What providers and JSON schemas have beyond what the readers look for. */
const others = `
  additionalProperties allOf anyOf array const default description enum exclusiveMinimum integer items maximum
  maxItems maxLength minimum minItems minLength nullable number oneOf properties propertyNames required $schema strict
  $ref $defs definitions ARRAY BOOLEAN INTEGER NUMBER OBJECT STRING
  end_turn max_output_tokens max_tokens pause_turn stop_sequence stop_reason stopReason finishReason length
  content_filter STOP MAX_TOKENS SAFETY low medium high minimal xhigh ephemeral auto any required disabled enabled
  openai google deepseek mistral xai moonshot qwen bedrock vertex azure openrouter copilot github-copilot
  openai-codex google-gemini-cli anthropic-messages openai-responses openai-completions standard priority batch
  assistant user system tool developer model human ai gpt function observation bing chatgpt bard claude
  service_tier server_tool_use web_search_requests iterations speed inference_geo message_stop content_block_stop
  ping input_audio_tokens audio_tokens accepted_prediction_tokens rejected_prediction_tokens text_tokens
  image_tokens base64 png jpeg gif webp pdf image/png image/jpeg image/gif image/webp application/pdf
  application/json text/event-stream GET POST HTTP/1.1 HTTP/2 content-type done completed in_progress failed
  <synthetic> pending success cancelled commentary final_answer analysis cli vscode exec main external internal
`;

/**
 * Keys of members and whole values that stay: what the readers look for, names of the wire formats, and nothing that a
 * user or a model wrote.
 */
export const keptWords: ReadonlySet<string> = wordsOf(`${readerWords} ${others}`);

/** Endings of file names that stay. */
export const fileExtensions = [
  'astro|bash|bat|bin|bmp|c|cc|cfg|clj|cmake|conf|cpp|cs|css|csv|d|dart|db|diff|dll|doc|docx|eex|elm|env|erl|ex',
  'exe|exs|fs|gif|go|gradle|graphql|gz|h|hcl|hpp|hs|html|ico|ini|ipynb|jar|java|jpeg|jpg|js|json|jsonl|jsx|kt|kts',
  'less|lock|log|lua|m|map|md|mdx|mjs|ml|mod|mp3|mp4|nix|patch|pdf|php|pl|plist|png|properties|proto|ps1|py|pyi|r',
  'rb|rs|rst|sass|scala|scss|sh|sol|sql|sqlite|sum|svelte|svg|swift|tar|tex|tf|tmp|toml|ts|tsx|ttf|txt|vue|wasm',
  'webp|whl|woff|woff2|xls|xlsx|xml|yaml|yml|zig|zip|zsh',
].flatMap(line => line.split('|'));

/** Public names that are one token with the sign before them and have no twin. */
export const publicNames: ReadonlySet<string> = new Set(['githubusercontent']);
