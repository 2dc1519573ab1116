import { translate } from '../base/translate';

/**
 * The kinds of parts of a breakdown. First the groups and the parts of a tool, in display order; then the kinds that
 * are sorted by tokens.
 */
export const breakdownKinds = [
  'systemPrompt',
  'builtInTools',
  'mcpServers',
  'skills',
  'memory',
  'files',
  'shell',
  'web',
  'search',
  'subagents',
  'media',
  'thinking',
  'replies',
  'user',
  'reminders',
  'summaries',
  'other',
  'conversations',
  'notRecorded',
  'schema',
  'calls',
  'results',
  'returned',
  'server',
  'tool',
  'folder',
  'file',
  'skill',
  'agent',
  'program',
  'command',
  'conversation',
  'block',
  'all',
] as const;
export type BreakdownKind = (typeof breakdownKinds)[number];

/**
 * The two groupings of the results of an agent's own tools: by their content (files, shell, search, and so on), or by
 * tool, beside its schema and calls.
 */
export const breakdownGroupings = ['content', 'tool'] as const;
export type BreakdownGrouping = (typeof breakdownGroupings)[number];

/** The names of the parts without a name in the transcript. */
export const breakdownWords: Readonly<Partial<Record<BreakdownKind, string>>> = {
  all: translate('All'),
  systemPrompt: translate('System prompt'),
  builtInTools: translate('Built-in tools'),
  mcpServers: translate('MCP servers'),
  skills: translate('Skills, plugins and commands'),
  memory: translate('Memory'),
  files: translate('Files'),
  shell: translate('Shell'),
  web: translate('Web'),
  search: translate('Search'),
  subagents: translate('Subagents'),
  media: translate('Images and documents'),
  thinking: translate('Thinking'),
  replies: translate('Replies'),
  user: translate('You'),
  reminders: translate('Reminders and hooks'),
  summaries: translate('Summaries'),
  other: translate('Other'),
  conversations: translate('Other conversations'),
  notRecorded: translate('Not recorded'),
  schema: translate('Schema'),
  calls: translate('Calls'),
  results: translate('Results'),
  returned: translate('Returned to the caller'),
};
