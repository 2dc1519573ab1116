/**
 * Where the content of a block came from, as a person would say it: a file, a shell, the model. It says more than the
 * provenance of the Prompt IR, where everything that a tool returned is one label.
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
