/** What a text consists of, as far as it decides how many tokens a tokenizer makes of it. */
export const textKinds = ['prose', 'code', 'data', 'otherScript'] as const;
export type TextKind = (typeof textKinds)[number];
