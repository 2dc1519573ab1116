import { formatBytes } from '../../src/core/base/format';
import { visibleText } from '../../src/core/base/visibleText';
import { usagePeriods, usageStacks } from '../../src/core/index/usagePeriod';
import { assertNever } from '../../src/core/model/labels';
import type { IndexState } from '../../src/protocol/indexService';
import { type UsagePart, usageParts } from '../../src/protocol/usageParts';
import { Button } from '../controls/Button';
import { Choices } from '../controls/Choices';
import { IconButton } from '../controls/IconButton';
import { Link } from '../controls/Link';
import { LabelledDropdown } from '../controls/LabelledDropdown';
import { optionsOf } from '../controls/Dropdown';
import { useSelected } from '../state/store';
import { useAnswerOf } from '../state/useAnswer';
import { searchWords } from '../words/search';
import { measureWords, periodWords, stackWords, subagentWords, usageWords as words } from '../words/usage';
import { whatIfWords } from '../words/whatIf';
import { Figures } from './Figures';
import { SearchColumn } from './SearchColumn';
import { subagentWays, type Usage, type UsageDeed, usageMeasures } from './usageState';
import { WhatIf } from './WhatIf';

const titles: Readonly<Record<UsagePart, string>> = {
  usage: words.title,
  whatIf: whatIfWords.title,
  search: searchWords.title,
};

/** The usage of all sessions, what they would have cost with other settings, and the search in them. */
export function UsagePage({ usage }: { readonly usage: Usage }) {
  const index = useSelected(usage.store, state => state.index);
  const view = useSelected(usage.store, state => state.view);
  const revision = index !== undefined && 'revision' in index ? index.revision : 0;
  const { part, period, stack, measure, subagents } = view;
  const {
    answer,
    last: known,
    isPending,
  } = useAnswerOf(
    usage.ask,
    revision === 0 ? undefined : { name: 'usage', params: { period, stack, subagents } },
    { since: revision, pause: 0 },
  );
  const blocking = index === undefined ? undefined : blockOf(index);
  if (index === undefined || blocking !== undefined) {
    return (
      <main className="message-page">
        <h1 className="message-page__title">{titles[part]}</h1>
        <p className="message-page__text muted" role="status">
          {blocking === undefined ? words.loading : visibleText(blocking.sentence)}
        </p>
        {blocking !== undefined && (
          <div className="message-page__actions">
            {blocking.deeds.map(({ deed, name }) => (
              <Button key={deed} onPress={() => usage.act(deed)}>
                {name}
              </Button>
            ))}
          </div>
        )}
      </main>
    );
  }
  const isEmpty = known?.known.sessions === 0 && index.kind === 'current';
  return (
    <main className={`usage usage--${part}`} aria-busy={isPending || index.kind === 'looking'}>
      <header className="usage__head row wraps ruled">
        <h1 className="title">{titles[part]}</h1>
        {usageParts
          .filter(other => other !== part)
          .map(other => (
            <Link key={other} onPress={() => usage.turnTo(other)}>
              {titles[other]}
            </Link>
          ))}
        <span className="usage__known small muted shrinks ellipsis">
          {known === undefined ? '' : words.known(known.known)}
        </span>
        <div className="usage__controls row wraps">
          {part !== 'search' && (
            <Choices
              isRow
              name={words.period}
              value={period}
              options={optionsOf(usagePeriods, periodWords)}
              onChange={choice => usage.changeView({ period: choice })}
            />
          )}
          {part === 'usage' && (
            <>
              <Choices
                isRow
                name={words.measure}
                value={measure}
                options={optionsOf(usageMeasures, measureWords)}
                onChange={choice => usage.changeView({ measure: choice })}
              />
              <LabelledDropdown
                name={words.stack}
                value={stack}
                options={optionsOf(usageStacks, stackWords)}
                onChange={choice => usage.changeView({ stack: choice })}
              />
              <LabelledDropdown
                name={words.subagents}
                value={subagents}
                options={optionsOf(subagentWays, subagentWords)}
                onChange={choice => usage.changeView({ subagents: choice })}
              />
            </>
          )}
          <IconButton
            icon="refresh"
            name={words.refresh}
            disabled={index.kind === 'looking' || index.kind === 'reading'}
            onPress={() => usage.act('update')}
          />
          {part === 'usage' && (
            <IconButton
              icon="openLine"
              name={words.exportTable}
              disabled={known === undefined || isEmpty}
              onPress={usage.exportTable}
            />
          )}
        </div>
      </header>
      <Strip index={index} act={usage.act} />
      <div className="usage__columns">
        {part === 'usage' && (
          <div className="usage__figures stack">
            {answer.kind === 'failed' && (
              <p className="prose" role="alert">
                {visibleText(answer.sentence)}
              </p>
            )}
            {isEmpty && (
              <>
                <p className="prose">{words.empty}</p>
                <div>
                  <Button onPress={() => usage.act('openExample')}>{words.openExample}</Button>
                </div>
              </>
            )}
            {known !== undefined && !isEmpty && <Figures usage={usage} period={known} revision={revision} />}
          </div>
        )}
        {part === 'whatIf' ? <WhatIf usage={usage} isEmpty={isEmpty} /> : <SearchColumn usage={usage} />}
      </div>
    </main>
  );
}

interface Deed {
  readonly deed: UsageDeed;
  readonly name: string;
}

/** The message instead of figures; undefined if there may be figures. */
function blockOf(
  index: IndexState,
): { readonly sentence: string; readonly deeds: readonly Deed[] } | undefined {
  switch (index.kind) {
    case 'off':
      return index.by === 'setting'
        ? { sentence: words.off, deeds: [{ deed: 'openSettings', name: words.openSettings }] }
        : { sentence: words.offByVariable, deeds: [] };
    case 'deleted':
      return { sentence: words.deleted, deeds: [{ deed: 'update', name: words.refresh }] };
    case 'failed':
      return { sentence: index.sentence, deeds: [{ deed: 'update', name: words.retry }] };
    case 'looking':
      return index.revision === 0 ? { sentence: words.looking, deeds: [] } : undefined;
    case 'reading':
    case 'stopped':
    case 'current':
      return undefined;
    default:
      return assertNever(index);
  }
}

/** The current activity of the index, above the figures. */
function Strip({ index, act }: { readonly index: IndexState; readonly act: (deed: UsageDeed) => void }) {
  if (index.kind === 'reading') {
    const { what, done, total, madeAnew } = index;
    const name = (what === 'usage' ? words.readingUsage : words.readingWords)(
      formatBytes(done),
      formatBytes(total),
    );
    return (
      <div className="usage__strip row gap-12 ruled small">
        <span>
          {madeAnew !== undefined && `${words.madeAnew[madeAnew]} `}
          {name}
        </span>
        <progress className="usage__progress" aria-label={name} value={done} max={Math.max(1, total)} />
        <Button onPress={() => act('stop')}>{words.stop}</Button>
      </div>
    );
  }
  if (index.kind === 'stopped') {
    return (
      <div className="usage__strip row gap-12 ruled small">
        <span role="status">{index.what === 'usage' ? words.stopped : words.stoppedWords}</span>
        <Button onPress={() => act('update')}>{words.goOn}</Button>
      </div>
    );
  }
  const isUnwritable = index.kind === 'current' && index.madeAnew === 'unwritable';
  return index.kind === 'current' && (index.failed > 0 || isUnwritable) ? (
    <div className="usage__strip row gap-12 ruled small" role="status">
      {isUnwritable && `${words.madeAnew.unwritable} `}
      {index.failed > 0 && words.failedFiles(index.failed)}
    </div>
  ) : undefined;
}
