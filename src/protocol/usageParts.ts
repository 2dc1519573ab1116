/** The parts of the page with the usage of all sessions, with a title each. */
export const usageParts = ['usage', 'whatIf', 'search'] as const;
export type UsagePart = (typeof usageParts)[number];
