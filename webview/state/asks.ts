import type { AskCount, AskForm, AskNews, AskPlan, AskResult, AskSide } from '../../src/protocol/askMessages';

/** The user's input. Empty fields mean the recorded value. */
export interface AskDraft {
  readonly form: AskForm;
  readonly provider: string;
  readonly model: string;
  readonly isPruned: boolean;
  /** The number of times that each side of a comparison is asked. */
  readonly times: number;
  /** Calls to the counting service at most. */
  readonly calls: number;
  readonly question: string;
}

/** One call with its progress. */
export interface AskRun {
  readonly side: AskSide;
  readonly of: number;
  readonly thinking: string;
  readonly content: string;
  readonly result?: AskResult | undefined;
}

export interface AsksState {
  readonly draft: AskDraft;
  readonly phase: 'idle' | 'preparing' | 'planned' | 'running' | 'ended';
  readonly plan?: AskPlan | undefined;
  readonly runs: readonly AskRun[];
  readonly count?: AskCount | undefined;
  readonly sentence?: string | undefined;
  readonly file?: string | undefined;
  readonly isCancelled: boolean;
}

const nothing = {
  runs: [],
  plan: undefined,
  count: undefined,
  sentence: undefined,
  file: undefined,
  isCancelled: false,
};

export const noAsks: AsksState = {
  ...nothing,
  draft: { form: 'replay', provider: '', model: '', isPruned: false, times: 1, calls: 1, question: '' },
  phase: 'idle',
};

/** The state after a piece of news from the host. */
export function afterNews(state: AsksState, news: AskNews): AsksState {
  switch (news.kind) {
    case 'preparing':
      return { ...state, ...nothing, phase: 'preparing' };
    case 'plan':
      return { ...state, phase: 'planned', plan: news.plan };
    case 'running':
      return { ...state, ...nothing, phase: 'running', plan: news.plan };
    case 'began': {
      const { run, of, side } = news;
      return withRun(state, run, { side, of, thinking: '', content: '' });
    }
    case 'piece': {
      const run = state.runs[news.run];
      const { kind, text } = news.piece;
      return run === undefined ? state : withRun(state, news.run, { ...run, [kind]: run[kind] + text });
    }
    case 'replied': {
      const run = state.runs[news.run];
      return run === undefined ? state : withRun(state, news.run, { ...run, result: news.result });
    }
    case 'counted':
      return { ...state, count: news.count };
    case 'ended': {
      const { sentence, file, isCancelled = false } = news;
      const isOver = state.phase === 'running' || sentence !== undefined;
      return isOver
        ? { ...state, phase: 'ended', sentence, file, isCancelled }
        : { ...state, ...nothing, phase: 'idle' };
    }
  }
}

function withRun(state: AsksState, index: number, run: AskRun): AsksState {
  const runs = [...state.runs];
  runs[index] = run;
  return { ...state, runs };
}

/** Counts of runs: those where something was true, out of those that can show it. */
export interface Tally {
  readonly count: number;
  readonly of: number;
}

/** How often the next action was the recorded one, by side, and how often both sides made the same one. */
export function actionTally(
  runs: readonly AskRun[],
): Readonly<Record<'recorded' | 'pruned' | 'alike', Tally>> {
  const tally = (values: readonly (boolean | undefined)[]): Tally => {
    const known = values.filter(value => value !== undefined);
    return { count: known.filter(Boolean).length, of: known.length };
  };
  const asRecorded = (side: AskSide): Tally =>
    tally(
      runs.flatMap(run => {
        const comparison = run.side === side ? run.result?.comparison : undefined;
        return comparison?.hasRecorded === true ? [comparison.isSameAction] : [];
      }),
    );
  return {
    recorded: asRecorded('recorded'),
    pruned: asRecorded('pruned'),
    alike: tally(runs.map(run => run.result?.isSameAsOther)),
  };
}
