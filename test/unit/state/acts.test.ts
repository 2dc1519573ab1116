import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Insight } from '../../../src/core/insights/insight';
import { defaultPruneOptions } from '../../../src/core/model/pruneConfig';
import type { AskNews } from '../../../src/protocol/askMessages';
import { actionTally, afterNews, type AsksState, noAsks } from '../../../webview/state/asks';
import { hitBeside, hitCount, hitOrder, placeOf, queryOf } from '../../../webview/state/find';
import type { FindResult } from '../../../webview/state/findState';
import { watchFirstSteps } from '../../../webview/state/firstSteps';
import { firstState } from '../../../webview/state/createInspector';
import type { AppState, Inspector } from '../../../webview/state/inspector';
import {
  blocksOfInsight,
  closeLook,
  hideKind,
  insightKey,
  openLook,
  pointAt,
  showKinds,
  shownInsights,
  stepLook,
} from '../../../webview/state/insights';
import { closedLook } from '../../../webview/state/lookState';
import { Navigation } from '../../../webview/state/navigation';
import { receiveWith } from '../../../webview/state/receiving';
import { createStore, type Store } from '../../../webview/state/store';
import { changedView, parseViewState, type ViewState } from '../../../webview/state/viewState';
import { requestView } from '../../../webview/state/derived';
import { makeColumns, makeSummary } from '../../webview/sessionBuilder';

const columns = makeColumns(
  Array.from({ length: 4 }, (_, index) => ({ kind: 'prompt', label: `block ${index}`, tokens: 10 }) as const),
  [[0, 1, 2, 3]],
  [{ length: 2 }, { length: 3 }],
);
const session = {
  fileName: 'a.jsonl',
  revision: 4,
  summary: makeSummary(),
  columns,
  pending: undefined,
} as const;

function storeOf(change: Partial<AppState> = {}): Store<AppState> {
  return createStore<AppState>({
    ...firstState(parseViewState(undefined)),
    page: { kind: 'session', session },
    ...change,
  });
}

/** Changes of a view, and a list of everything else that is done. */
function toolsOf(store: Store<AppState>) {
  const said: unknown[] = [];
  const note = (what: unknown): void => {
    said.push(what);
  };
  const changeView = (change: Partial<ViewState>): void =>
    store.update(state => ({ ...state, view: changedView(state.view, change) }));
  return { store, said, tools: { store, changeView, act: note, notify: note } };
}

describe('the hits of a search', () => {
  const found = (block: number, hits: number) => [block, { block, hits, isNamed: hits === 0 }] as const;
  const result: FindResult = {
    query: { text: 'a', isRegex: false, matchesCase: false },
    found: new Map([found(3, 1), found(2, 2), found(0, 0)]),
    isDone: true,
    sentence: undefined,
    retry: undefined,
  };
  const view = requestView(columns, 1);
  const order = hitOrder(result, view, false);

  it('are in wire order, a block that matches by its name with one', () => {
    assert.deepEqual(
      [order.blocks.map(({ block }) => block), order.before, order.count],
      [[0, 2], [0, 1, 3], 3],
    );
    const whole = hitOrder(result, view, true);
    assert.deepEqual([whole.blocks.map(({ block }) => block), whole.count], [[0, 2, 3], 4]);
    assert.equal(hitCount(result), 4);
    assert.deepEqual(
      [placeOf(order, { block: 2, hit: 1 }), placeOf(order, { block: 3, hit: 0 })],
      [2, undefined],
    );
    assert.equal(placeOf(order, undefined), undefined);
  });

  it('follow each other in a circle, from the selected block on', () => {
    const beside = (current: Parameters<typeof hitBeside>[1], selected: number | undefined, step: 1 | -1) =>
      hitBeside(order, current, selected, step);
    assert.deepEqual(beside(undefined, undefined, 1), { block: 0, hit: 0 });
    assert.deepEqual(beside(undefined, undefined, -1), { block: 2, hit: 1 });
    assert.deepEqual(beside(undefined, 2, 1), { block: 2, hit: 0 });
    assert.deepEqual(beside({ block: 2, hit: 0 }, 2, 1), { block: 2, hit: 1 });
    assert.deepEqual(beside({ block: 2, hit: 1 }, 2, 1), { block: 0, hit: 0 });
    assert.deepEqual(beside({ block: 0, hit: 0 }, 0, -1), { block: 2, hit: 1 });
    // The user has selected another block since.
    assert.deepEqual(beside({ block: 2, hit: 1 }, 0, 1), { block: 0, hit: 0 });
    assert.equal(hitBeside({ blocks: [], before: [0], count: 0 }, undefined, 0, 1), undefined);
  });

  it('are asked for with words, while the search is open', () => {
    const query = { text: ' a', isRegex: true, matchesCase: false };
    assert.deepEqual(queryOf({ ...query, isOpen: true }), query);
    assert.equal(queryOf({ ...query, isOpen: false }), undefined);
    assert.equal(queryOf({ ...query, text: '  ', isOpen: true }), undefined);
  });
});

describe('the list of findings', () => {
  const insight = (kind: Insight['kind'], detail: string, ...blocks: readonly number[]): Insight => ({
    kind,
    detail,
    request: 1,
    blocks,
    panel: 'block',
    what: '',
    why: '',
    figure: '',
    mark: '',
    money: null,
    tokens: 0,
    quality: 'exact',
    error: 0,
  });
  const waste = insight('waste', 'readAgain', 1);
  const cache = insight('loss', 'idle', 2);
  const secret = insight('secret', '', 3);
  const known = (...all: readonly Insight[]): AppState['insights'] => ({
    kind: 'known',
    value: { found: all, below: 0, unpriced: '', isComplete: true },
  });

  function looked(change: Partial<AppState> = {}) {
    const made = toolsOf(storeOf({ insights: known(waste, cache, secret), ...change }));
    // @ts-expect-error -- Only these members are asked for.
    const inspector: Inspector = made.tools;
    const state = (): AppState => made.store.get();
    return { ...made, inspector, state };
  }

  it('hides kinds: waste everywhere, others here, and sensitive data never', () => {
    const { inspector, said, state } = looked();
    hideKind(inspector, secret);
    assert.deepEqual([said, state().view.hiddenInsights], [[], []]);
    hideKind(inspector, cache);
    assert.deepEqual(state().view.hiddenInsights, ['loss']);
    assert.deepEqual(shownInsights(state()), [waste, secret]);
    hideKind(inspector, waste);
    assert.deepEqual(said, [{ kind: 'hideWaste', kinds: ['readAgain'] }]);
    assert.deepEqual(shownInsights({ ...state(), hiddenWaste: ['readAgain'] }), [secret]);
    showKinds(inspector);
    assert.deepEqual([state().view.hiddenInsights, said.length], [[], 1]);
    const hidden = looked({ hiddenWaste: ['readAgain'] });
    showKinds(hidden.inspector);
    assert.deepEqual(hidden.said, [{ kind: 'hideWaste', kinds: [] }]);
    assert.deepEqual(shownInsights(storeOf().get()), []);
  });

  it('opens at the first finding, steps in a circle, and is told once that it was seen', () => {
    const { inspector, said, state } = looked({ look: { ...closedLook, isNew: true } });
    const current = (): string | undefined => state().look.current;
    openLook(inspector);
    assert.deepEqual(said, [{ kind: 'looked' }]);
    assert.deepEqual([state().look.isOpen, current()], [true, insightKey(waste)]);
    stepLook(inspector, 1);
    assert.equal(current(), insightKey(cache));
    stepLook(inspector, -1);
    stepLook(inspector, -1);
    assert.equal(current(), insightKey(secret));
    stepLook(inspector, 1);
    assert.equal(current(), insightKey(waste));
    pointAt(inspector, secret);
    closeLook(inspector);
    assert.deepEqual([state().look.isOpen, current()], [false, insightKey(secret)]);
    openLook(inspector);
    assert.deepEqual([current(), said.length], [insightKey(secret), 1]);
    const none = looked({ insights: known() });
    openLook(none.inspector);
    stepLook(none.inspector, 1);
    assert.equal(none.state().look.isOpen, false);
  });

  it('highlights the blocks of a finding if the request has one of them', () => {
    const lit = (...inView: readonly number[]) => blocksOfInsight(cache, 4, Uint32Array.from(inView));
    assert.deepEqual(lit(0, 2), Uint8Array.of(0, 0, 1, 0));
    assert.equal(lit(0, 1), undefined);
  });
});

describe('the news about a question to a model', () => {
  const after = (...news: readonly AskNews[]): AsksState => news.reduce(afterNews, noAsks);
  const began = (run: number, side: 'recorded' | 'pruned'): AskNews => ({ kind: 'began', run, of: 2, side });

  it('collects the pieces of each run', () => {
    const piece = (run: number, kind: 'thinking' | 'content', text: string): AskNews => ({
      kind: 'piece',
      run,
      piece: { kind, text },
    });
    const { runs } = after(
      began(0, 'recorded'),
      piece(0, 'content', 'Hel'),
      began(1, 'pruned'),
      piece(1, 'thinking', 'Hm'),
      piece(0, 'content', 'lo'),
      piece(7, 'content', 'of no run'),
    );
    assert.deepEqual(
      runs.map(({ side, content, thinking }) => [side, content, thinking]),
      [
        ['recorded', 'Hello', ''],
        ['pruned', '', 'Hm'],
      ],
    );
  });

  it('ends with the runs, or as if nothing had been planned', () => {
    const running: AsksState = { ...after(began(0, 'recorded')), phase: 'running' };
    assert.deepEqual(
      [afterNews(running, { kind: 'ended' })].map(({ phase, runs }) => [phase, runs.length]),
      [['ended', 1]],
    );
    const planned: AsksState = { ...running, phase: 'planned' };
    assert.deepEqual(
      [afterNews(planned, { kind: 'ended' })].map(({ phase, runs }) => [phase, runs.length]),
      [['idle', 0]],
    );
    const failed = afterNews(planned, { kind: 'ended', sentence: 'No key.' });
    assert.deepEqual([failed.phase, failed.sentence, failed.isCancelled], ['ended', 'No key.', false]);
    assert.equal(afterNews(running, { kind: 'ended', isCancelled: true }).isCancelled, true);
  });

  it('is counted by side, of those that can be compared', () => {
    const run = (
      side: 'recorded' | 'pruned',
      hasRecorded: boolean,
      isSameAction: boolean,
      isSameAsOther?: boolean,
    ): AsksState['runs'][number] => ({
      side,
      of: 2,
      thinking: '',
      content: '',
      result: {
        duration: 1,
        comparison: { hasRecorded, isSameAction, isSameTools: false, calls: [], texts: ['', ''] },
        ...(isSameAsOther === undefined ? {} : { isSameAsOther }),
      },
    });
    assert.deepEqual(
      actionTally([
        run('recorded', true, true, true),
        run('recorded', true, false, false),
        run('recorded', false, true),
        run('pruned', true, true, true),
      ]),
      { recorded: { count: 1, of: 2 }, pruned: { count: 1, of: 1 }, alike: { count: 2, of: 3 } },
    );
  });
});

describe('the targets of links and commands', () => {
  it('wait for the session', () => {
    const { store, said, tools } = toolsOf(storeOf({ page: { kind: 'waiting' } }));
    const navigation = new Navigation(tools);
    navigation.show({ request: 0 });
    navigation.run('handOff');
    assert.deepEqual([said, store.get().view.request], [[], undefined]);
    store.update(state => ({ ...state, page: { kind: 'session', session } }));
    navigation.sessionShown();
    assert.equal(store.get().view.request, 0);
    assert.deepEqual(said, [{ kind: 'handOff', request: 0, isWhole: false }]);
    navigation.sessionShown();
    assert.equal(said.length, 1);
  });

  it('are given up with the session, except for a place if the user cancelled', () => {
    const shown = (keepsPlace: boolean): number | undefined => {
      const { store, tools } = toolsOf(storeOf({ page: { kind: 'waiting' } }));
      const navigation = new Navigation(tools);
      navigation.show({ request: 0 });
      navigation.giveUp({ keepsPlace });
      store.update(state => ({ ...state, page: { kind: 'session', session } }));
      navigation.sessionShown();
      return store.get().view.request;
    };
    assert.deepEqual([shown(true), shown(false)], [0, undefined]);
  });

  it('are the place in view, or a sentence if there is none', () => {
    const said = (change: Partial<AppState>, act: (navigation: Navigation) => void): readonly unknown[] => {
      const made = toolsOf(storeOf(change));
      act(new Navigation(made.tools));
      return made.said;
    };
    assert.deepEqual(
      said({}, each => each.copyLink()),
      [{ kind: 'copyLink', conversation: 0, request: 1 }],
    );
    assert.deepEqual(
      said({}, each => each.handOff()),
      [{ kind: 'handOff', request: 1, isWhole: true }],
    );
    assert.match(String(said({ page: { kind: 'cancelled' } }, each => each.copyLink())), /Nothing to link/);
    assert.doesNotMatch(
      String(said({ page: { kind: 'waiting' } }, each => each.copyLink())),
      /Nothing to link/,
    );
    assert.equal(typeof said({ page: { kind: 'cancelled' } }, each => each.handOff())[0], 'string');
    assert.equal(typeof said({}, each => each.show({ request: 9 }))[0], 'string');
  });
});

describe('the news of the host', () => {
  function received(change: Partial<AppState> = {}, hasColours = false) {
    const { store, said, tools } = toolsOf(storeOf(change));
    const receive = receiveWith({
      store,
      navigation: new Navigation(tools),
      hasColours,
      askCacheReport: () => said.push('cache'),
      askInsights: () => said.push('insights'),
    });
    return { store, said, receive };
  }

  it('change the page', () => {
    const { store, receive } = received();
    receive({ type: 'fileName', fileName: 'b.jsonl' });
    const { page } = store.get();
    assert.equal(page.kind === 'session' && page.session.fileName, 'b.jsonl');
    receive({ type: 'parent', fileName: 'parent.jsonl' });
    receive({ type: 'neverLooked' });
    receive({ type: 'hiddenWaste', kinds: ['readAgain'] });
    const { parent, look, hiddenWaste } = store.get();
    assert.deepEqual([parent, look.isNew, hiddenWaste], ['parent.jsonl', true, ['readAgain']]);
    receive({ type: 'cancelled' });
    assert.equal(store.get().page.kind, 'cancelled');
    receive({ type: 'fileName', fileName: 'c.jsonl' });
    assert.equal(store.get().page.kind, 'cancelled');
    receive({ type: 'failed', sentence: 'No.', canOpenAsText: true });
    assert.deepEqual(store.get().page, {
      kind: 'failed',
      sentence: 'No.',
      canOpenAsText: true,
      canOpenAs: false,
    });
  });

  it('have colours for a page without its own', () => {
    const colours = (hasOwn: boolean): string => {
      const { store, receive } = received({}, hasOwn);
      receive({ type: 'colours', mode: 'role' });
      return store.get().view.colourMode;
    };
    assert.deepEqual([colours(false), colours(true)], ['role', 'source']);
  });

  it('have options, which end equal what-if options and lead to new findings', () => {
    const options = { ...defaultPruneOptions(), minimumTokens: 7 };
    const own = received({ view: { ...parseViewState(undefined), prune: options } });
    own.receive({ type: 'pruneOptions', options });
    assert.deepEqual([own.store.get().view.prune, own.said], [undefined, ['insights']]);
    const other = received({ view: { ...parseViewState(undefined), prune: options } });
    other.receive({ type: 'pruneOptions', options: defaultPruneOptions() });
    assert.equal(other.store.get().view.prune, options);
    const counting = received({ page: { kind: 'session', session: { ...session, pending: 'measuring' } } });
    counting.receive({ type: 'pruneOptions', options });
    assert.deepEqual(counting.said, []);
  });
});

describe('the steps of the walkthrough', () => {
  it('are reported once each, when the user takes them', () => {
    const { store, tools } = toolsOf(storeOf());
    const steps: string[] = [];
    watchFirstSteps(store, step => steps.push(step));
    tools.changeView({ request: 0 });
    assert.deepEqual(steps, []);
    tools.changeView({ block: 1 });
    tools.changeView({ block: 2 });
    tools.changeView({ prune: defaultPruneOptions() });
    assert.deepEqual(steps, ['blockSelected', 'sliderMoved']);
    tools.changeView({ panel: 'cache' });
    assert.equal(steps.length, 2);
  });
});
