import * as v from 'valibot';
import { member, stringAt } from '../core/base/json';
import { translate } from '../core/base/translate';
import type { Described } from './schema';

// One side asks and the other side answers: pages ask the host, and the host asks its threads.

/** Questions by name, each with the schemas of its parameters and its answer. */
export type QuestionTable = Readonly<
  Record<string, { readonly params: v.GenericSchema; readonly result: v.GenericSchema }>
>;

export type ParamsOf<Table extends QuestionTable, Name extends keyof Table> = Described<
  Table[Name]['params']
>;
export type ResultOf<Table extends QuestionTable, Name extends keyof Table> = v.InferOutput<
  Table[Name]['result']
>;

/** A question of a table, as it is sent. */
export type QuestionOf<Table extends QuestionTable, Name extends keyof Table = keyof Table> = {
  [Each in Name]: { readonly name: Each; readonly params: ParamsOf<Table, Each> };
}[Name];

/** A question with a known name, and therefore a known type of answer. */
export type Asked<Table extends QuestionTable, Name extends keyof Table> = QuestionOf<Table, Name> &
  QuestionOf<Table>;

/** Asks a question of a table. Rejects with one sentence that can be shown. */
export type Ask<Table extends QuestionTable> = <Name extends keyof Table>(
  question: Asked<Table, Name>,
) => Promise<ResultOf<Table, Name>>;

/** An answer for every question of a table; rejects with one sentence that can be shown. */
export type AnswersOf<Table extends QuestionTable, Context> = {
  readonly [Name in keyof Table]: (
    context: Context,
    params: ParamsOf<Table, Name>,
  ) => Described<Table[Name]['result']> | Promise<Described<Table[Name]['result']>>;
};

/** Answered exactly once, with the same id. */
export interface QuestionMessage<Table extends QuestionTable> {
  readonly type: 'question';
  readonly id: number;
  readonly question: QuestionOf<Table>;
  /** True if the asking side only passes the answer on, so that it may be packed. */
  readonly isPassedOn?: boolean;
}

/** The answer to the question with the same id. The asking side checks `value` with the schema of the answer. */
export type Answer =
  | { readonly type: 'answer'; readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly type: 'answer'; readonly id: number; readonly ok: false; readonly sentence: string };

/** True if a value is a question of a table. */
export function isQuestion<Table extends QuestionTable>(
  table: Table,
  value: unknown,
): value is QuestionOf<Table> {
  const name = stringAt(value, 'name') ?? '';
  return Object.hasOwn(table, name) && v.is(table[name]?.params ?? v.never(), member(value, 'params'));
}

/** Answers a question of a table. */
export function answerTo<Table extends QuestionTable, Name extends keyof Table, Context>(
  answers: AnswersOf<Table, Context>,
  context: Context,
  { name, params }: QuestionOf<Table, Name>,
): unknown {
  return answers[name](context, params);
}

/** Posts the answer to a question: the result of `answer`, or the reason of its failure. */
export function postAnswer(
  id: number,
  answer: () => unknown,
  post: (answer: Answer) => void,
  sentenceOf: (error: unknown) => string | Promise<string>,
): void {
  Promise.resolve()
    .then(answer)
    .then(value => post({ type: 'answer', id, ok: true, value }))
    .catch(async (error: unknown) =>
      post({ type: 'answer', id, ok: false, sentence: await sentenceOf(error) }),
    );
}

/**
 * Minimum JSON length of a packed answer, in characters. From here on, copying every value takes more than a
 * millisecond for the side that passes it on.
 */
const leastPacked = 50_000;

/** A large answer as the bytes of its JSON, which are moved between threads without being examined. */
export function packAnswer(answer: Answer): Answer {
  const text = answer.ok ? JSON.stringify(answer.value) : undefined;
  return answer.ok && text !== undefined && text.length >= leastPacked
    ? { ...answer, value: new TextEncoder().encode(text).buffer }
    : answer;
}

const unpacked = (value: unknown): unknown =>
  value instanceof ArrayBuffer ? JSON.parse(new TextDecoder().decode(value)) : value;

interface Waiting {
  readonly take: (value: unknown) => void;
  readonly reject: (reason: Error) => void;
}

/** The asking side. Every question is answered or rejected, at the latest by `end`. */
export class Questions<Table extends QuestionTable> {
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;
  private ended: string | undefined;

  constructor(
    private readonly table: Table,
    private readonly send: (message: QuestionMessage<Table>) => void,
  ) {}

  /** Rejects with one sentence that can be shown if the answer is a failure or does not match its schema. */
  readonly ask: Ask<Table> = question => {
    const { name } = question;
    const table: { readonly [Each in keyof Table]: Table[Each] } = this.table;
    const { result } = table[name];
    return this.put(question, value => {
      const parsed = v.safeParse(result, unpacked(value));
      if (!parsed.success) {
        throw new Error(translate('The answer is invalid ({0}).', v.summarize(parsed.issues)));
      }
      return parsed.output;
    });
  };

  /** Asks for a caller that passes the answer on to the side that unpacks and checks it. */
  passOn(question: QuestionOf<Table>): Promise<unknown> {
    return this.put(question, value => value, true);
  }

  /** Processes an answer. Ignores one that no question waits for. */
  receive(answer: Answer): void {
    const asked = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    if (answer.ok) {
      asked?.take(answer.value);
    } else {
      asked?.reject(new Error(answer.sentence));
    }
  }

  /** Rejects all questions that have no answer, and all later ones. */
  end(sentence: string): void {
    this.ended = sentence;
    for (const { reject } of this.waiting.values()) {
      reject(new Error(sentence));
    }
    this.waiting.clear();
  }

  private put<Result>(
    question: QuestionOf<Table>,
    read: (value: unknown) => Result,
    isPassedOn = false,
  ): Promise<Result> {
    if (this.ended !== undefined) {
      return Promise.reject(new Error(this.ended));
    }
    this.last += 1;
    const id = this.last;
    return new Promise<unknown>((take, reject) => {
      this.waiting.set(id, { take, reject });
      this.send({ type: 'question', id, question, ...(isPassedOn ? { isPassedOn } : {}) });
    }).then(read);
  }
}
