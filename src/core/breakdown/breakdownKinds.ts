import { translate } from '../base/translate';

/**
 * What the parts of a breakdown are: first the groups and what a tool is made of, in the order in which they
 * are shown, then what is sorted by its tokens.
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
  'program',
  'command',
  'conversation',
  'block',
  'all',
] as const;
export type BreakdownKind = (typeof breakdownKinds)[number];

/** The names of the parts that have no name in the transcript. */
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
  returned: translate('Returned to its caller'),
};
