import { createContext, Script } from 'node:vm';
import { stringAt } from '../../core/base/json';

const script = new Script('result = work()');

/**
 * Runs work and gives it up after some milliseconds, even in the middle of a regular expression; undefined then. The
 * caller's thread does nothing else meanwhile.
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
    // The error is made in the script's own context, where `Error` is another class.
    if (stringAt(error, 'code') === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      return undefined;
    }
    throw error;
  }
  return outcome.result;
}
