import { ruleName } from './ruleWords';

/** The text that replaces a secret. It names the rule that found it and contains nothing of the secret. */
export function redactionMark(rule: string): string {
  return `[redacted: ${rule}]`;
}

const mark = /\[redacted: ([\w./-]+)\]/g;

export const hasMark = (text: string): boolean => text.search(mark) >= 0;

/** A text for people, in which every mark has the display name of its rule. */
export const withNamedMarks = (text: string): string =>
  text.replace(mark, (_, rule: string) => redactionMark(ruleName(rule)));
