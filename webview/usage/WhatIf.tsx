import { type ReactNode, useEffect, useState } from 'react';
import { formatMoney, formatNumber } from '../../src/core/base/format';
import { visibleText } from '../../src/core/base/visibleText';
import { agentSign } from '../../src/core/finder/agentLocations';
import { folderNames } from '../../src/core/finder/projectNames';
import { withNamedMarks } from '../../src/core/sensitivity/redactionMark';
import { readSetting, readSettings, settingsInWords, settingText } from '../../src/core/whatIf/settings';
import {
  moneyDifference,
  moneyInterval,
  nothingBetter,
  reasonWords,
  tokenDifference,
  triedWords,
  whatIfHeadline,
  whatIfNotes,
} from '../../src/core/whatIf/whatIfWords';
import type { UsageResult } from '../../src/protocol/indexService';
import { FigureTable } from '../components/common/FigureTable';
import { Button } from '../controls/Button';
import { Link } from '../controls/Link';
import { useSelected } from '../state/store';
import { useAnswerOf } from '../state/useAnswer';
import { usageWords } from '../words/usage';
import { notKnown } from '../words/usageSums';
import { whatIfWords as words } from '../words/whatIf';
import { Sum } from './Figures';
import type { Usage, UsageViewState } from './usageState';
import { type ChosenSettings, WhatIfSettings } from './WhatIfSettings';

type Answer = UsageResult<'whatIf'>;

/** The last question for a period. */
interface Wish {
  readonly period: UsageViewState['period'];
  readonly settings: readonly string[];
}

/** All sessions of a period under other settings. Reads every session, so it computes only when it is told to. */
export function WhatIf({ usage, isEmpty }: { readonly usage: Usage; readonly isEmpty: boolean }) {
  const { period, settings: chosen } = useSelected(usage.store, state => state.view);
  const isReady = useSelected(
    usage.store,
    ({ index }) =>
      index?.kind === 'current' ||
      index?.kind === 'stopped' ||
      (index?.kind === 'reading' && index.what === 'words'),
  );
  const [priced, setPriced] = useState<Wish>();
  const [searched, setSearched] = useState<Pick<Wish, 'period'>>();
  const settings = chosen.map(settingText);
  const isAsked = priced !== undefined && isSame(priced, { period, settings });
  const prices = useAnswerOf(
    usage.ask,
    isAsked ? { name: 'whatIf', params: { period, settings, searches: false } } : undefined,
    { since: priced, pause: 0 },
  );
  const isSearched = searched?.period === period;
  const search = useAnswerOf(
    usage.ask,
    isSearched ? { name: 'whatIf', params: { period, settings: [], searches: true } } : undefined,
    { since: searched, pause: 0 },
  );
  const isBusy = (isAsked && prices.isPending) || (isSearched && search.isPending);
  useEffect(
    // An answer that is no longer wanted would keep the index busy.
    () => (isBusy ? () => usage.act('stopPricing') : undefined),
    [isBusy, usage],
  );
  const stop = (): void => {
    setPriced(prices.isPending ? undefined : priced);
    setSearched(search.isPending ? undefined : searched);
  };
  const price = (wanted: ChosenSettings): void => {
    usage.beginPricing();
    setPriced({ period, settings: wanted.map(settingText) });
  };
  const change = (next: ChosenSettings): void => {
    setPriced(undefined);
    usage.changeView({ settings: next });
  };
  const failed = [prices, search].flatMap(({ answer }) => (answer.kind === 'failed' ? [answer] : []));
  const outcome = isAsked ? prices.last : undefined;
  const best = isSearched ? search.last : undefined;
  return (
    <div className="usage__figures stack" aria-busy={isBusy}>
      <div className="row wraps" role="group" aria-label={words.settings}>
        <WhatIfSettings chosen={chosen} onChange={change} />
        <Button
          appearance="primary"
          disabled={!isReady || isBusy || chosen.length === 0 || readSettings(settings) === undefined}
          onPress={() => price(chosen)}
        >
          {words.compute}
        </Button>
        <Button
          disabled={!isReady || isBusy}
          onPress={() => {
            usage.beginPricing();
            setSearched({ period });
          }}
        >
          {words.search}
        </Button>
      </div>
      {isBusy && <Progress usage={usage} onStop={stop} />}
      {failed.map(({ sentence }) => (
        <p key={sentence} className="prose" role="alert">
          {visibleText(sentence)}
        </p>
      ))}
      {!isAsked && !isSearched && <p className="prose">{isEmpty ? usageWords.empty : words.hint}</p>}
      {outcome !== undefined && <Outcome usage={usage} answer={outcome} />}
      {best !== undefined && (
        <Best
          answer={best}
          onUse={texts => {
            const next = texts
              .flatMap(text => readSetting(text) ?? [])
              .map(({ name, text }) => ({ name, text }));
            change(next);
            price(next);
          }}
        />
      )}
      <Notes answer={outcome ?? best} />
    </div>
  );
}

const isSame = (one: Wish, other: Wish): boolean =>
  one.period === other.period && one.settings.join('\n') === other.settings.join('\n');

function Progress({ usage, onStop }: { readonly usage: Usage; readonly onStop: () => void }) {
  const { done, total } = useSelected(usage.store, state => state.pricing) ?? { done: 0, total: 0 };
  const name = words.progress(done, total);
  return (
    <div className="row gap-12 small">
      <span className="tabular">{name}</span>
      <progress className="usage__progress" aria-label={name} value={done} max={Math.max(1, total)} />
      <Button onPress={onStop}>{words.stop}</Button>
    </div>
  );
}

const keyOf = ({ file, conversation }: Answer['rows'][number]): string => `${file} ${conversation}`;

/** Number of rows shown at first. */
const firstRows = 12;

function Outcome({ usage, answer }: { readonly usage: Usage; readonly answer: Answer }) {
  const [isWhole, setWhole] = useState(false);
  const { rows, total } = answer;
  const { period } = useSelected(usage.store, state => state.view);
  const told = rows.filter(({ isTold }) => isTold);
  const untold = rows.filter(({ isTold }) => !isTold);
  const shown = isWhole ? told : told.slice(0, firstRows);
  const folders = folderNames(rows.map(({ project }) => project));
  const name = (row: Answer['rows'][number]) => (
    <SessionName usage={usage} row={row} project={folders.get(row.project) ?? row.project} />
  );
  return rows.length === 0 ? (
    <p className="prose">{usageWords.nothingIn(period)}</p>
  ) : (
    <>
      <h2 className="title" aria-live="polite">
        {visibleText(whatIfHeadline(answer))}
      </h2>
      {told.length > 0 && (
        <>
          <dl className="sums tabular">
            <Sum value={formatMoney(total.changed.money)} name={words.changed} />
            <Sum value={formatMoney(total.recorded.money)} name={words.recorded} />
            <Sum value={tokenDifference(total.tokens)} name={words.input} />
            <Sum value={moved(total, 'cacheRead')} name={words.cacheReads} />
            <Sum value={moved(total, 'cacheWrite')} name={words.cacheWrites} />
          </dl>
          <section className="groups what-if__sessions stack">
            <FigureTable
              label={words.sessions}
              heads={[
                words.session,
                words.recorded,
                words.changed,
                words.difference,
                words.interval,
                words.input,
                words.cacheReads,
                words.cacheWrites,
              ]}
              rows={[
                ...shown.map(row => ({
                  key: keyOf(row),
                  cells: [name(row), ...figuresOf(row)],
                })),
                { key: 'sum', role: 'sum' as const, cells: [usageWords.sum, ...figuresOf(total)] },
              ]}
            />
            {told.length > shown.length && (
              <Link onPress={() => setWhole(true)}>{usageWords.showAll(told.length)}</Link>
            )}
          </section>
        </>
      )}
      {untold.length > 0 && (
        <section className="stack gap-4" aria-label={words.untold}>
          <h2 className="small strong">{words.untold}</h2>
          <Untold rows={untold} name={name} />
        </section>
      )}
    </>
  );
}

function Untold({
  rows,
  name,
}: {
  readonly rows: Answer['rows'];
  readonly name: (row: Answer['rows'][number]) => ReactNode;
}) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? rows : rows.slice(0, firstRows);
  return (
    <>
      <ul className="stack gap-4">
        {shown.map(row => (
          <li key={keyOf(row)} className="row apart gap-12 ruled">
            {name(row)}
            <span className="small muted breaks">{visibleText(row.reasons.map(reasonWords).join(' '))}</span>
          </li>
        ))}
      </ul>
      {rows.length > shown.length && (
        <Link onPress={() => setWhole(true)}>{usageWords.showAll(rows.length)}</Link>
      )}
    </>
  );
}

/** The title of a session, which opens it, with its project. */
function SessionName({
  usage,
  row: { title, agent, file, conversation },
  project,
}: {
  readonly usage: Usage;
  readonly row: Answer['rows'][number];
  readonly project: string;
}) {
  const shown = title === '' ? usageWords.untitled : visibleText(withNamedMarks(title));
  return (
    <span className="session-name row gap-6 shrinks">
      <span className="agent-sign" aria-hidden="true">
        {agentSign(agent)}
      </span>
      <span className="session-name__title shrinks" title={shown}>
        <Link onPress={() => usage.open(file, conversation === 0 ? {} : { conversation })}>{shown}</Link>
      </span>
      <span className="day-session__project ellipsis muted">{visibleText(project)}</span>
      <span className="visually-hidden">{visibleText(agent)}</span>
    </span>
  );
}

type Figures = Pick<Answer['total'], 'recorded' | 'changed' | 'money' | 'tokens' | 'unpriced'>;

function moved({ recorded, changed }: Figures, figure: 'cacheRead' | 'cacheWrite'): string {
  const value = changed[figure] - recorded[figure];
  return tokenDifference({ value, low: value, high: value });
}

function figuresOf(figures: Figures) {
  const { recorded, changed, money, tokens, unpriced } = figures;
  const isPriced = unpriced < recorded.requests;
  return [
    ...(isPriced
      ? [
          formatMoney(recorded.money),
          formatMoney(changed.money),
          <span key="difference" className="strong">
            {moneyDifference(money)}
          </span>,
          moneyInterval(money),
        ]
      : [notKnown, notKnown, notKnown, notKnown]),
    tokenDifference(tokens),
    moved(figures, 'cacheRead'),
    moved(figures, 'cacheWrite'),
  ];
}

interface BestProps {
  readonly answer: Answer;
  /** Called with settings as `NAME=VALUE`. */
  readonly onUse: (settings: readonly string[]) => void;
}

/** The choices of a search that save the most. */
function Best({ answer: { best = [] }, onUse }: BestProps) {
  return (
    <section className="what-if__best stack" aria-label={words.best}>
      <h2 className="small strong">{words.best}</h2>
      {best.length === 0 ? (
        <p className="prose">{nothingBetter()}</p>
      ) : (
        <FigureTable
          label={words.best}
          heads={[
            words.bestSettings,
            words.difference,
            words.interval,
            words.lost,
            <span key="use" className="visually-hidden">
              {words.use}
            </span>,
          ]}
          rows={best.map(({ settings, money, lost }) => ({
            key: settings.join(' '),
            cells: [
              <span key="settings" className="what-if__settings">
                {visibleText(settingsInWords(settings))}
              </span>,
              <span key="difference" className="strong">
                {moneyDifference(money)}
              </span>,
              moneyInterval(money),
              lost === undefined ? notKnown : formatNumber(lost),
              <Link key="use" onPress={() => onUse(settings)}>
                {words.use}
              </Link>,
            ],
          }))}
        />
      )}
      <p className="prose small">{triedWords()}</p>
    </section>
  );
}

/** The interval, what is assumed, and what cannot be told; nothing if there are no sessions. */
function Notes({ answer }: { readonly answer: Answer | undefined }) {
  return answer === undefined || answer.rows.length === 0 ? null : (
    <section className="stack gap-4" aria-label={words.notes}>
      <h2 className="small strong">{words.notes}</h2>
      <ul className="bullets small muted">
        {whatIfNotes(answer).map(note => (
          <li key={note}>{visibleText(note)}</li>
        ))}
        {answer.failed > 0 && <li>{usageWords.failedFiles(answer.failed)}</li>}
      </ul>
    </section>
  );
}
