import { SentenceError } from '../../core/base/sentenceError';

/** A mistake that the user can correct. It is shown as one sentence without a stack. */
export class UsageError extends SentenceError {}
