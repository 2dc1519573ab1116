import { createContext, Script } from 'node:vm';
import { stringAt } from '../../core/base/json';

const script = new Script('result = work()');

/**
 * Runs work and stops it after some milliseconds, even in the middle of a regular expression. Returns undefined if it
 * was stopped. Blocks the caller's thread.
 */
export function runWithin<Result>(work: () => Result, milliseconds: number): Result | undefined {
  const outcome: { readonly work: () => void; result?: Result } = {
    work: () => {
      outcome.result = work();
    },
  };
  try {
    script.runInContext(createContext({ work: outcome.work, result: undefined }), { timeout: milliseconds });
  } catch (error) {
    // The error is created in the script's own context, where `Error` is another class.
    if (stringAt(error, 'code') === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      return undefined;
    }
    throw error;
  }
  return outcome.result;
}
