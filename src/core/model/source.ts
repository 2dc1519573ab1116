/**
 * The origin of a block's content in everyday terms: a file, a shell, the model. More specific than the provenance of
 * the Prompt IR, in which every tool result has the same label.
 */
export const sources = [
  'notRecorded',
  'instructions',
  'memory',
  'notes',
  'you',
  'model',
  'thinking',
  'files',
  'shell',
  'search',
  'mcp',
  'subagents',
  'tools',
] as const;
export type Source = (typeof sources)[number];
