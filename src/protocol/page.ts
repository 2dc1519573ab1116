import * as v from 'valibot';
import { member, numberAt, stringAt } from '../core/base/json';
import { translate } from '../core/base/translate';
import { type Answer, isQuestion, type QuestionMessage, type QuestionTable } from './rpc';
import { count, type Described } from './schema';

/** The messages between the host and one of its pages. */
export interface PageContract {
  /** Questions of the page. */
  readonly questions: QuestionTable;
  /** User actions in the page that only the host can carry out, by `kind`. */
  readonly acts: v.GenericSchema<unknown, { readonly kind: string }>;
  /** The host's messages to the page, by `type`. All texts have passed the gate. */
  readonly news: v.GenericSchema<unknown, { readonly type: string }>;
}

export type ActOf<Contract extends PageContract> = Described<Contract['acts']>;
export type NewsOf<Contract extends PageContract> = v.InferOutput<Contract['news']>;

export type FromPage<Contract extends PageContract> =
  /** The page has started and can receive news. */
  | { readonly type: 'ready' }
  /** The answer of a page that was called: it is still the one that was ready. */
  | { readonly type: 'here' }
  | QuestionMessage<Contract['questions']>
  | { readonly type: 'act'; readonly act: ActOf<Contract> };

/** A message of the page was not understood and is ignored. */
export interface Refused {
  readonly type: 'refused';
  readonly sentence: string;
}

/** Calls a page that may or may not have been kept while it was hidden. */
export interface Called {
  readonly type: 'called';
}

export type ToPage<Contract extends PageContract> = NewsOf<Contract> | Refused | Called | Answer;

/** A member of a message from the host. The compiler has checked its form. */
export const fromHost = <Type>() => v.custom<Type>(() => true);

/** A message from a page, or the known facts about a refused one. */
export type ReadMessage<Contract extends PageContract> =
  | { readonly ok: true; readonly message: FromPage<Contract> }
  /** `id` is the question's, if it has one; `what` names the message for the log. */
  | { readonly ok: false; readonly id: number | undefined; readonly what: string };

/** Reads a message from a page. Pages show other people's text and are not trusted. */
export function readMessage<Contract extends PageContract>(
  contract: Contract,
  value: unknown,
): ReadMessage<Contract> {
  const type = stringAt(value, 'type');
  const id = type === 'question' ? numberAt(value, 'id') : undefined;
  const question = member(value, 'question');
  const act = member(value, 'act');
  if (type === 'ready' || type === 'here') {
    return { ok: true, message: { type } };
  }
  if (v.is(count, id) && isQuestion<Contract['questions']>(contract.questions, question)) {
    return { ok: true, message: { type: 'question', id, question } };
  }
  if (type === 'act' && isAct(contract, act)) {
    return { ok: true, message: { type, act } };
  }
  const what = [type, stringAt(question, 'name') ?? stringAt(act, 'kind')]
    .map(word => JSON.stringify(word?.slice(0, 40)))
    .join(' ');
  return { ok: false, id, what };
}

/** The consequences of refusing a page's message: a line for the log and an answer to the page. */
export function refusalOf<Contract extends PageContract>(
  { id, what }: Extract<ReadMessage<Contract>, { ok: false }>,
  pageName: string,
): { readonly line: string; readonly answer: Answer | Refused } {
  return {
    line: translate('{0}: The page sent an invalid message: {1}', pageName, what),
    answer:
      id === undefined
        ? {
            type: 'refused',
            sentence: translate('The extension refused an invalid message from this page.'),
          }
        : {
            type: 'answer',
            id,
            ok: false,
            sentence: translate('The extension refused an invalid question.'),
          },
  };
}

function isAct<Contract extends PageContract>({ acts }: Contract, value: unknown): value is ActOf<Contract> {
  return v.is(acts, value);
}

/** True if a value is news of a page. */
export function isNews<Contract extends PageContract>(
  { news }: Contract,
  value: unknown,
): value is NewsOf<Contract> {
  return v.is(news, value);
}

const answer = v.variant('ok', [
  v.object({ type: v.literal('answer'), id: count, ok: v.literal(true), value: v.optional(v.unknown()) }),
  v.object({ type: v.literal('answer'), id: count, ok: v.literal(false), sentence: v.string() }),
]);
const refused = v.object({ type: v.literal('refused'), sentence: v.string() });

export function isAnswer(value: unknown): value is Answer {
  return v.is(answer, value);
}

export function isCalled(value: unknown): value is Called {
  return stringAt(value, 'type') === 'called';
}

export function isRefused(value: unknown): value is Refused {
  return v.is(refused, value);
}
