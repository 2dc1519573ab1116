/** An error that its one sentence explains to the user. */
export class SentenceError extends Error {}
