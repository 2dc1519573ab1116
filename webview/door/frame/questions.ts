import type { Shown } from '../../../src/protocol/door';
import { createStore } from '../../state/store';
import { type Asked, type AskedNews, type MenuItem, ownId } from '../doorApi';

/** A question that is open, with its state. */
export interface OpenQuestion {
  readonly key: number;
  readonly asked: Asked;
  readonly shown: Shown;
  readonly percent: number;
  /** Words about the progress, or the error of the typed text. */
  readonly words: string;
}

export interface OpenMenu {
  readonly name: string;
  /** Returns the focus to where it was. */
  readonly back: () => void;
  readonly x: number;
  readonly y: number;
  readonly items: readonly MenuItem[];
}

interface FrameState {
  readonly questions: readonly OpenQuestion[];
  readonly menu: OpenMenu | undefined;
}

export const frameStore = createStore<FrameState>({ questions: [], menu: undefined });
let last = 0;

const change = (to: (questions: readonly OpenQuestion[]) => readonly OpenQuestion[]): void =>
  frameStore.update(state => ({ ...state, questions: to(state.questions) }));

export function openMenu(menu: OpenMenu): void {
  frameStore.update(state => ({ ...state, menu }));
}

export function addQuestion(asked: Asked): void {
  last += 1;
  const key = last;
  const { shown } = asked;
  const { questions } = frameStore.get();
  // Two pages in one frame say the same of their server.
  const isKnown =
    shown.type === 'say' &&
    shown.id === ownId &&
    questions.some(other => other.shown.type === 'say' && other.shown.sentence === shown.sentence);
  if (!isKnown) {
    change(all => [...all, { key, asked, shown, percent: 0, words: '' }]);
  }
}

/** Removes a question and gives its answer. */
export function answerQuestion({ key, asked }: OpenQuestion, answer: number | string | undefined): void {
  change(all => all.filter(question => question.key !== key));
  asked.onAnswer(answer);
}

export function removeQuestions(owner: Window, id?: number): void {
  change(all =>
    all.filter(({ asked }) => asked.owner !== owner || (id !== undefined && asked.shown.id !== id)),
  );
}

export function updateQuestion(owner: Window, news: AskedNews): void {
  change(all =>
    all.map(question =>
      question.asked.owner === owner && question.shown.id === news.id ? updated(question, news) : question,
    ),
  );
}

function updated(question: OpenQuestion, news: AskedNews): OpenQuestion {
  const { shown } = question;
  switch (news.type) {
    case 'choices':
      return shown.type === 'choose'
        ? {
            ...question,
            shown: { ...shown, isFilling: news.isFilling, choices: [...shown.choices, ...news.choices] },
          }
        : question;
    case 'problem':
      return { ...question, words: news.problem };
    case 'progressed':
      return { ...question, percent: news.percent, words: news.message };
  }
}
