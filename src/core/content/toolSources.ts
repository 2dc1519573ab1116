import type { BlockKind } from '../model/block';
import type { PartitionName, ProvenanceLabel } from '../model/labels';
import { type Source, sources } from '../model/source';
import { provenanceOfTool } from './classification';

/** The possible sources of the results of an agent's own tools. */
type ToolSource = Exclude<Source, 'notRecorded' | 'instructions' | 'model'>;

/**
 * The tools that come with agents, grouped by the source of their results, spelled as in transcripts. Tools of a user's
 * servers are recognised by their prefix. Every unlisted tool counts as another tool.
 */
const toolsOfAgents: Readonly<Record<string, Partial<Readonly<Record<ToolSource, string>>>>> = {
  'Claude Code': {
    files: 'Read Write Edit MultiEdit NotebookRead NotebookEdit LSP',
    shell: 'Bash BashOutput KillBash KillShell Monitor',
    search: 'Glob Grep LS WebFetch WebSearch ToolSearch',
    mcp: 'ListMcpResourcesTool ReadMcpResourceTool',
    subagents: 'Agent Task TaskOutput TaskStop SendMessage TeamCreate TeamDelete',
    memory: 'Skill SlashCommand',
    notes:
      'TodoRead TodoWrite TaskCreate TaskGet TaskList TaskUpdate EnterPlanMode ExitPlanMode EnterWorktree',
    you: 'AskUserQuestion',
    tools: 'StructuredOutput',
  },
  Codex: {
    files: 'apply_patch view_image',
    shell: 'exec exec_command write_stdin local_shell shell shell_command unified_exec',
    search: 'web_search web_search_call',
    subagents: 'spawn_agent send_input wait wait_agent close_agent resume_agent',
    notes: 'update_plan',
    you: 'request_user_input',
  },
  opencode: {
    files: 'read write edit multiedit patch lsp',
    shell: 'bash',
    search: 'glob grep list webfetch websearch codesearch',
    subagents: 'task',
    memory: 'skill',
    notes: 'todoread todowrite plan_exit plan_enter',
    you: 'question',
    tools: 'batch invalid',
  },
  'Gemini CLI': {
    files: 'read_file read_many_files write_file replace',
    shell: 'run_shell_command',
    search:
      'glob google_web_search list_directory search_file_content grep_search web_fetch get_internal_docs cli_help',
    subagents: 'delegate_to_agent codebase_investigator complete_task',
    memory: 'save_memory activate_skill',
    notes: 'write_todos enter_plan_mode exit_plan_mode update_topic',
    you: 'ask_user',
  },
  'Qwen Code': {
    files: 'edit',
    notes: 'todo_write',
  },
  iFlow: {
    search: 'search_file_content web_search',
    files: 'multi_edit',
  },
  'Copilot in VS Code': {
    files:
      'create_file edit_notebook_file insert_edit_into_file multi_replace_string_in_file read_notebook ' +
      'read_notebook_cell_output replace_string_in_file create_directory get_errors get_changed_files apply_patch ' +
      'copilot_getNotebookSummary create_new_jupyter_notebook create_new_workspace',
    shell:
      'run_in_terminal get_terminal_output terminal_last_command terminal_selection run_task create_and_run_task ' +
      'get_task_output runTests test_failure run_notebook_cell',
    search:
      'fetch_webpage file_search list_dir semantic_search list_code_usages github_repo get_search_view_results ' +
      'vscode_searchExtensions_internal get_vscode_api',
    subagents: 'runSubagent',
    notes: 'manage_todo_list',
    thinking: 'think',
  },
  'Copilot CLI': {
    files: 'view create str_replace edit',
    shell: 'read_bash write_bash stop_bash list_bash read_powershell write_powershell powershell',
    subagents: 'read_agent list_agents',
    memory: 'store_memory',
    notes: 'report_intent',
    tools: 'sql',
  },
  'Cline, Roo Code and Kilo Code': {
    files:
      'apply_diff editor insert_content read_files replace_in_file search_and_replace write_to_file edit_file',
    shell: 'execute_command run_commands read_command_output',
    search: 'codebase_search list_code_definition_names list_files search_files',
    mcp: 'access_mcp_resource use_mcp_tool load_mcp_documentation',
    subagents: 'new_task use_subagents',
    memory: 'fetch_instructions new_rule use_skill',
    notes: 'update_todo_list plan_mode_respond switch_mode condense summarize_task focus_chain',
    you: 'ask_followup_question attempt_completion',
    tools: 'browser_action',
  },
  'Kimi CLI': {
    files: 'ReadFile WriteFile StrReplaceFile ReadMediaFile',
    shell: 'Shell CMD',
    search: 'SearchWeb FetchURL',
    subagents: 'CreateSubagent',
    notes: 'SetTodoList',
    thinking: 'Think',
  },
  'pi and oh-my-pi': {
    files: 'read write edit ast_edit',
    shell: 'bash python eval ssh',
    search: 'grep find ls fetch ast_grep',
    notes: 'todo_write',
    you: 'ask',
  },
  'OpenHands and SWE-agent': {
    files: 'file_editor str_replace_editor edit_file open scroll_up scroll_down goto insert',
    shell: 'execute_bash execute_ipython_cell terminal bash_session',
    search: 'find_file search_dir search_file',
    notes: 'task_tracker',
    tools: 'browser web_browser finish submit',
  },
  Goose: {
    files: 'text_editor write image_processor',
    shell: 'shell',
    search: 'tree analyze',
    tools: 'manage_schedule',
  },
  'Amazon Q and Kiro': {
    files: 'fs_read fs_write readFile readMultipleFiles fsWrite fsAppend strReplace readCode',
    shell: 'execute_bash executeBash executePwsh use_aws',
    search: 'grepSearch fileSearch listDirectory web_search web_fetch',
    subagents: 'use_subagent invokeSubAgent',
    memory: 'knowledge',
    notes: 'todo_list',
    you: 'userInput',
  },
  Cursor: {
    files: 'read_file edit_file search_replace delete_file edit_notebook read_lints',
    shell: 'run_terminal_cmd run_terminal_command',
    search: 'codebase_search grep_search file_search list_dir glob_file_search fetch_rules',
    notes: 'todo_write create_plan',
  },
  'Amp, Crush, Droid and Zed': {
    files:
      'create_file edit_file undo_edit delete_file view_image view multiedit Create read_web_file diagnostics',
    shell: 'Execute job_output job_kill',
    search:
      'finder librarian codebase_search_agent read_web_page sourcegraph ls fetch download agentic_fetch Search FileSearch find_path thread_search',
    subagents: 'oracle agent',
    thinking: 'thinking',
  },
  'Providers and frameworks': {
    files:
      'str_replace_based_edit_tool str_replace_editor text_editor read_text_file list_allowed_directories',
    shell: 'code_interpreter code_execution bash_code_execution python_exec',
    search: 'web_search_preview file_search retrieval search_documents url_context google_search',
    memory: 'memory recall remember',
    tools: 'computer',
  },
};

/** One row per tool and agent. */
export const agentTools: readonly {
  readonly agent: string;
  readonly source: Source;
  readonly name: string;
}[] = Object.entries(toolsOfAgents).flatMap(([agent, tools]) =>
  sources.flatMap(source =>
    namesIn(isToolSource(source) ? tools[source] : undefined).map(name => ({ agent, source, name })),
  ),
);

function namesIn(names = ''): readonly string[] {
  return names.split(' ').filter(name => name !== '');
}

function isToolSource(source: Source): source is ToolSource {
  return source !== 'notRecorded' && source !== 'instructions' && source !== 'model';
}

/** A name in one common spelling: `ReadFile` and `read_file` are the same tool. */
function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z\d]/g, '');
}

const sourceOfName: ReadonlyMap<string, Source> = new Map(
  agentTools.map(({ name, source }) => [plainName(name), source]),
);

/** `mcp__server__tool`, `mcp_server_tool`, `github-mcp-server-list_issues`. */
const serverName = /(^|[_-])mcp\d*([_-]|$)/i;

/**
 * The source of a tool's results. Goose and others write an extension or a namespace before the name
 * (`developer__shell`, `functions.exec_command`). If no agent has a tool with the name after `__`, the tool is a
 * server's.
 */
export function sourceOfTool(toolName: string): Source {
  const known = sourceOfName.get(plainName(toolName));
  if (known !== undefined) {
    return known;
  }
  if (serverName.test(toolName)) {
    return 'mcp';
  }
  const own = sourceOfName.get(plainName(toolName.split(/__|\./).at(-1) ?? ''));
  if (own !== undefined) {
    return own;
  }
  if (toolName.includes('__')) {
    return 'mcp';
  }
  switch (provenanceOfTool(toolName)) {
    case 'retrieval':
      return 'search';
    case 'memory':
      return 'memory';
    case 'system':
    case 'developer':
    case 'user':
    case 'tool':
      return 'tools';
  }
}

/** A tool of a user's server, as agents write it into one name. */
export interface ServerTool {
  readonly server: string;
  readonly tool: string;
}

/** `mcp__server__tool`, `mcp_server_tool`, `github-mcp-server-list_issues`, `server__tool`. */
const serverTools: readonly RegExp[] = [
  /^mcp__(?<server>.+?)__(?<tool>.+)$/i,
  /^mcp_(?<server>[^_]+)_(?<tool>.+)$/i,
  /^(?<server>.*?mcp(?:-server)?)-(?<tool>.+)$/i,
  /^(?<server>.+?)__(?<tool>.+)$/,
];

/** The server of a tool and its name there; `undefined` for a tool of the agent. */
export function serverToolOf(toolName: string): ServerTool | undefined {
  if (sourceOfTool(toolName) !== 'mcp') {
    return undefined;
  }
  for (const pattern of serverTools) {
    const { server = '', tool = '' } = pattern.exec(toolName)?.groups ?? {};
    if (server !== '') {
      return { server, tool };
    }
  }
  return undefined;
}

/** The facts about a block that decide its source. */
export interface SourceFacts {
  readonly kind: BlockKind;
  readonly provenance: ProvenanceLabel;
  readonly partition: PartitionName;
  /** Empty if unknown. */
  readonly toolName: string;
}

/** The source of a block: the source of its tool, otherwise the source that follows from its class. */
export function sourceOfBlock({ kind, provenance, partition, toolName }: SourceFacts): Source {
  switch (kind) {
    case 'systemPrompt':
    case 'structuredOutput':
      return 'instructions';
    case 'toolSchema':
      return sourceOfTool(toolName) === 'mcp' ? 'mcp' : 'instructions';
    case 'prompt':
      return 'you';
    case 'assistant':
    case 'toolCall':
    case 'summary':
      return 'model';
    case 'thinking':
      return 'thinking';
    case 'toolResult':
      return toolName === '' ? sourceOfOtherResult[provenance] : sourceOfTool(toolName);
    case 'injected':
      return sourceOfInjected(provenance, partition);
    case 'image':
    case 'other':
      if (toolName !== '') {
        return sourceOfTool(toolName);
      }
      // A file attached to a prompt is knowledge; an image belongs to the words around it.
      return partition === 'knowledge' ? 'files' : sourceOfSpeaker[provenance];
  }
}

type ByProvenance = Readonly<Record<ProvenanceLabel, Source>>;

/** The source of a result whose tool is unknown. */
const sourceOfOtherResult: ByProvenance = {
  system: 'tools',
  developer: 'tools',
  user: 'tools',
  tool: 'tools',
  retrieval: 'search',
  memory: 'memory',
};

/** The source of content that is neither a text nor a result. */
const sourceOfSpeaker: ByProvenance = {
  system: 'instructions',
  developer: 'model',
  user: 'you',
  tool: 'tools',
  retrieval: 'files',
  memory: 'memory',
};

function sourceOfInjected(provenance: ProvenanceLabel, partition: PartitionName): Source {
  switch (provenance) {
    case 'system':
      return partition === 'knowledge' ? 'memory' : 'notes';
    case 'developer':
      return 'memory';
    case 'user':
      return 'you';
    case 'tool':
      return 'subagents';
    case 'retrieval':
      return 'files';
    case 'memory':
      return partition === 'state' ? 'notes' : 'memory';
  }
}
