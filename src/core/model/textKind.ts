/** The kind of a text, as far as it influences the number of tokens. */
export const textKinds = ['prose', 'code', 'data', 'otherScript'] as const;
export type TextKind = (typeof textKinds)[number];
