/** The ranges of pauses, by their longest pause in seconds. */
export const pauseLimits = [60, 300, 600, 1800, 3600, 7200, Number.POSITIVE_INFINITY] as const;
