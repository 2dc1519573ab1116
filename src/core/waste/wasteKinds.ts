/** What can be wasted, in the order in which kinds are listed where nothing else orders them. */
export const wasteKinds = [
  'unusedServer',
  'unusedTools',
  'readAgain',
  'staleReading',
  'unusedResult',
  'image',
  'snapshot',
  'repeatedInstructions',
  'noisyOutput',
] as const;
export type WasteKind = (typeof wasteKinds)[number];
