/** Kinds of waste, in their default order. */
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
