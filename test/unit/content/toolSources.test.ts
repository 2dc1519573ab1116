import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { agentTools, sourceOfBlock, sourceOfTool } from '../../../src/core/content/toolSources';

/** Names in the form of transcripts. */
const expected = {
  files: [
    ...[
      'Read',
      'Edit',
      'MultiEdit',
      'NotebookEdit',
      'apply_patch',
      'view_image',
      'read_many_files',
      'replace',
    ],
    ...['str_replace_editor', 'str_replace_based_edit_tool', 'ReadFile', 'StrReplaceFile', 'write_to_file'],
    ...[
      'insert_edit_into_file',
      'fs_read',
      'readMultipleFiles',
      'developer__text_editor',
      'functions.apply_patch',
    ],
  ],
  shell: [
    ...[
      'Bash',
      'exec_command',
      'write_stdin',
      'shell',
      'local_shell',
      'run_shell_command',
      'run_in_terminal',
    ],
    ...[
      'execute_bash',
      'execute_ipython_cell',
      'execute_command',
      'Shell',
      'developer__shell',
      'container.exec',
    ],
  ],
  search: [
    ...[
      'Grep',
      'Glob',
      'LS',
      'WebFetch',
      'WebSearch',
      'google_web_search',
      'search_file_content',
      'list_dir',
    ],
    ...[
      'codebase_search',
      'list_code_definition_names',
      'webfetch',
      'web_search',
      'SearchWeb',
      'semantic_search',
    ],
  ],
  mcp: [
    ...['mcp__ide__getDiagnostics', 'mcp__filesystem__read_file', 'mcp_pylance_mcp_s_pylanceImports'],
    ...['github-mcp-server-list_issues', 'use_mcp_tool', 'ListMcpResourcesTool', 'linear__create_issue'],
  ],
  subagents: [
    'Task',
    'Agent',
    'spawn_agent',
    'wait_agent',
    'task',
    'runSubagent',
    'new_task',
    'CreateSubagent',
  ],
  memory: ['Skill', 'save_memory', 'activate_skill', 'store_memory', 'memory', 'memory_store'],
  notes: [
    'TodoWrite',
    'TaskUpdate',
    'update_plan',
    'write_todos',
    'todo_write',
    'SetTodoList',
    'task_tracker',
  ],
  you: ['AskUserQuestion', 'ask_followup_question', 'request_user_input', 'ask_user'],
  tools: ['browser_action', 'web_browser_click', 'finish', 'create_issue', '', 'toString'],
} as const;

describe('source of a tool', () => {
  it('knows the tools of all agents, and those of servers by their prefix', () => {
    for (const [source, names] of Object.entries(expected)) {
      for (const name of names) {
        assert.equal(sourceOfTool(name), source, name);
      }
    }
  });

  it('says the same of a name for all agents', () => {
    for (const { agent, name, source } of agentTools) {
      assert.equal(sourceOfTool(name), source, `${name} of ${agent}`);
    }
  });
});

describe('source of a block', () => {
  const result = { kind: 'toolResult', provenance: 'tool', partition: 'history', toolName: 'Read' } as const;

  it('is that of its tool for a result, and the model for the call', () => {
    assert.equal(sourceOfBlock(result), 'files');
    assert.equal(sourceOfBlock({ ...result, kind: 'image' }), 'files');
    assert.equal(sourceOfBlock({ ...result, kind: 'toolCall', provenance: 'developer' }), 'model');
    assert.equal(sourceOfBlock({ ...result, toolName: '' }), 'tools');
  });

  it('tells the definitions of servers from those of the agent', () => {
    const schema = { ...result, kind: 'toolSchema', provenance: 'system', partition: 'system' } as const;
    assert.equal(sourceOfBlock(schema), 'instructions');
    assert.equal(sourceOfBlock({ ...schema, toolName: 'mcp__ide__getDiagnostics' }), 'mcp');
  });

  it('follows the class of an injected text', () => {
    const injected = { ...result, kind: 'injected', toolName: '' } as const;
    assert.equal(sourceOfBlock({ ...injected, provenance: 'developer', partition: 'knowledge' }), 'memory');
    assert.equal(sourceOfBlock({ ...injected, provenance: 'system', partition: 'state' }), 'notes');
    assert.equal(sourceOfBlock({ ...injected, provenance: 'memory', partition: 'state' }), 'notes');
    assert.equal(sourceOfBlock({ ...injected, provenance: 'retrieval', partition: 'knowledge' }), 'files');
    assert.equal(sourceOfBlock({ ...injected, provenance: 'user' }), 'you');
    assert.equal(sourceOfBlock({ ...injected, provenance: 'tool' }), 'subagents');
  });
});
