/** A mistake that the user can correct. It is shown as one sentence without a stack. */
export class UsageError extends Error {}
