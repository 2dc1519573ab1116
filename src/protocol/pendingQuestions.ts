import * as v from 'valibot';
import { translate } from '../core/base/translate';
import type { Answer } from './sessionMessages';

interface Waiting {
  readonly take: (value: unknown) => void;
  readonly reject: (reason: Error) => void;
}

/** The questions of one side that have no answer yet. */
export class PendingQuestions {
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;

  /**
   * Asks with `send` and checks the answer with a schema. Rejects with one sentence that can be shown if the answer is a
   * failure or does not match the schema.
   */
  ask<Schema extends v.GenericSchema>(
    result: Schema,
    send: (id: number) => void,
  ): Promise<v.InferOutput<Schema>> {
    this.last += 1;
    const id = this.last;
    return new Promise((resolve, reject) => {
      const take = (value: unknown): void => {
        const parsed = v.safeParse(result, value);
        if (parsed.success) {
          resolve(parsed.output);
        } else {
          reject(new Error(translate('The answer has an unknown form ({0}).', v.summarize(parsed.issues))));
        }
      };
      this.waiting.set(id, { take, reject });
      send(id);
    });
  }

  /** Takes an answer; ignores one that nobody waits for. */
  receive(answer: Answer): void {
    const asked = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    if (answer.ok) {
      asked?.take(answer.value);
    } else {
      asked?.reject(new Error(answer.sentence));
    }
  }

  /** Rejects all questions that have no answer. */
  rejectAll(sentence: string): void {
    for (const { reject } of this.waiting.values()) {
      reject(new Error(sentence));
    }
    this.waiting.clear();
  }
}
