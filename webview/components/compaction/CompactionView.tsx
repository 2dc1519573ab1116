import { Fragment } from 'react';
import { formatNumber, formatShare } from '../../../src/core/base/format';
import { at } from '../../../src/core/base/numbers';
import { visibleLabel } from '../../../src/core/base/visibleText';
import type { SessionColumns } from '../../../src/core/model/columns';
import type { TokenFigure } from '../../../src/core/tokens/quality';
import { figureNumber } from '../../../src/core/tokens/qualityWords';
import type { CompactionDiff } from '../../../src/core/view/compactionDiff';
import type { RequestView } from '../../../src/core/view/requestView';
import { Button } from '../../controls/Button';
import { Link } from '../../controls/Link';
import { goToRequest, requestNumber } from '../../state/cacheReport';
import {
  compactionInView,
  compactionsIn,
  type Fate,
  fateTokens,
  type FateTokens,
  showCompaction,
} from '../../state/compaction';
import { positionOf, requestView } from '../../state/derived';
import { useAppState, useInspector } from '../../state/inspector';
import { contentFocus } from '../../state/panes';
import type { RequestInView, RequestParts } from '../../state/requestParts';
import { compactionWords as words } from '../../words/compaction';
import { pageWords } from '../../words/page';
import { type BlockEntry, BlockRows } from '../common/BlockRows';
import { BlockTextView } from '../block/BlockTextView';
import { proseLook } from '../reading/FormattedText';
import { FetchedAgain } from '../waste/FetchedAgain';
import { FigureTable } from '../common/FigureTable';
import { Quality } from '../common/Quality';
import { ShowMore, useShown } from '../common/ShowMore';

/**
 * The effect of a compaction or clearing: tokens by their fate, the summary next to the replaced blocks, and all
 * blocks.
 */
export function CompactionView({ columns, summary, view }: RequestParts) {
  const diffs = compactionsIn(columns, summary, at(columns.requests.thread, view.request));
  const diff = useAppState(state => compactionInView(diffs, state.view, view.request));
  if (diff === undefined) {
    return (
      <p {...contentFocus} className="compaction stack muted" tabIndex={-1}>
        {words.none}
      </p>
    );
  }
  const { trigger, isReset = false } = summary.compactions[diff.compaction] ?? {};
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long view scrolls by keyboard as well
    <div {...contentFocus} className="compaction stack" tabIndex={0} data-testid="compaction">
      <Head columns={columns} diffs={diffs} diff={diff} trigger={trigger} />
      {isReset && <p className="muted">{words.reset}</p>}
      <Fates columns={columns} diff={diff} />
      <FetchedAgain columns={columns} compaction={diff.compaction} />
      <Parts key={diff.compaction} columns={columns} diff={diff} />
    </div>
  );
}

function Head({
  columns,
  diffs,
  diff,
  trigger,
}: {
  readonly columns: SessionColumns;
  readonly diffs: readonly CompactionDiff[];
  readonly diff: CompactionDiff;
  readonly trigger: string | undefined;
}) {
  const place = diffs.indexOf(diff);
  const { kind, tokensBefore, tokensAfter } = diff;
  return (
    <header className="compaction__head row wraps">
      <h2 className="title">{words.title[kind](place + 1, diffs.length)}</h2>
      <p className="muted tabular">
        {tokensBefore !== undefined &&
          tokensAfter !== undefined &&
          words.change(
            tokensBefore.value,
            tokensAfter.value,
            formatShare(Math.abs(tokensAfter.value / Math.max(1, tokensBefore.value) - 1)),
          )}
        {trigger !== undefined && ` · ${words.trigger(visibleLabel(trigger))}`}
      </p>
      {diffs.length > 1 && (
        <div className="row wraps gap-6 end">
          <Step columns={columns} target={diffs[place - 1]} name={words.previous} />
          <Step columns={columns} target={diffs[place + 1]} name={words.next} />
        </div>
      )}
    </header>
  );
}

function Step({
  columns,
  target,
  name,
}: {
  readonly columns: SessionColumns;
  readonly target: CompactionDiff | undefined;
  readonly name: string;
}) {
  const inspector = useInspector();
  const request = target?.after ?? target?.before;
  return (
    <Button
      disabled={request === undefined}
      onPress={() =>
        target !== undefined &&
        request !== undefined &&
        showCompaction(inspector, columns, target.compaction, request)
      }
    >
      {name}
    </Button>
  );
}

/** Both requests as bars on one scale, and as figures. */
function Fates({ columns, diff }: { readonly columns: SessionColumns; readonly diff: CompactionDiff }) {
  const inspector = useInspector();
  const { before, after, compaction, tokensBefore, tokensAfter } = diff;
  const rows = fateTokens(columns, diff);
  const sums = (['before', 'after'] as const).map(side =>
    rows.reduce((sum, row) => sum + (row[side] ?? 0), 0),
  );
  const whole = Math.max(1, ...sums);
  const heading = (request: number | undefined, name: (number: string) => string, unknown: string) =>
    request === undefined ? (
      unknown
    ) : (
      <Link
        onPress={() => {
          goToRequest(inspector, columns, request);
          inspector.changeView({ compaction });
        }}
      >
        {name(requestNumber(columns, request))}
      </Link>
    );
  return (
    <section className="compaction__fates stack gap-12" aria-label={words.bars}>
      <div className="stack gap-4" aria-hidden="true">
        <FateBar rows={rows} side="before" whole={whole} />
        <FateBar rows={rows} side="after" whole={whole} />
      </div>
      <FigureTable
        heads={[
          words.part,
          heading(before, words.before, words.beforeUnknown),
          heading(after, words.after, words.afterUnknown),
        ]}
        rows={[
          ...rows.map(row => ({
            key: row.fate,
            cells: [
              <Fragment key={row.fate}>
                <span className={`fate-sample fate--${row.fate}`} aria-hidden="true" />
                {words.fates[row.fate]}
              </Fragment>,
              figureText(row.before),
              figureText(row.after),
            ],
          })),
          {
            key: 'sum',
            cells: [
              words.input,
              <Total key="before" figure={tokensBefore} />,
              <Total key="after" figure={tokensAfter} />,
            ],
            role: 'sum',
          },
        ]}
      />
      <p className="muted">
        {words.figures}
        {before === undefined && ` ${words.noPreceding}`}
        {after === undefined && ` ${words.noFollowing}`}
      </p>
    </section>
  );
}

const figureText = (tokens: number | undefined): string =>
  tokens === undefined || tokens === 0 ? '–' : formatNumber(tokens);

function Total({ figure }: { readonly figure: TokenFigure | undefined }) {
  return figure === undefined ? (
    pageWords.unknown
  ) : (
    <>
      <Quality {...figure} /> <strong>{figureNumber(figure)}</strong>
    </>
  );
}

function FateBar({
  rows,
  side,
  whole,
}: {
  readonly rows: readonly FateTokens[];
  readonly side: 'before' | 'after';
  readonly whole: number;
}) {
  return (
    <div className="fate-bar">
      {rows.map(row => {
        const tokens = row[side] ?? 0;
        return (
          tokens > 0 && (
            <span
              key={row.fate}
              className={`fate-bar__part fate--${row.fate}`}
              style={{ width: `${(tokens / whole) * 100}%` }}
            />
          )
        );
      })}
    </div>
  );
}

const summaryPage = 3;

/** The blocks by their fate, with the summary next to the blocks that it replaced. */
function Parts({ columns, diff }: { readonly columns: SessionColumns; readonly diff: CompactionDiff }) {
  const { before, after, summaries, summarised, tokens } = diff;
  const first = before === undefined ? undefined : requestView(columns, before);
  const second = after === undefined ? undefined : requestView(columns, after);
  const { shown, left, showMore } = useShown(summaries, summaryPage);
  const cleared =
    first === undefined || second === undefined
      ? []
      : diff.cleared.map(pair => ({
          block: pair.before,
          tokens: tokensIn(columns, second, pair.after) - tokensIn(columns, first, pair.before),
        }));
  const list = (
    name: keyof typeof words.lists,
    view: RequestView | undefined,
    entries?: readonly BlockEntry[],
  ) =>
    view !== undefined && (
      <Blocks
        fate={name}
        columns={columns}
        view={view}
        compaction={diff.compaction}
        entries={
          entries ??
          (name === 'cleared' ? [] : diff[name]).map(block => ({
            block,
            tokens: tokensIn(columns, view, block),
          }))
        }
      />
    );
  return (
    <div className="compaction__parts">
      {list('summarised', first)}
      {summaries.length > 0 && (
        <section className="stack gap-6">
          <p className="muted">
            <span className="fate-sample fate--summarised" aria-hidden="true" />
            {words.summarySize(tokens.summaries, tokens.summarised)}
          </p>
          {shown.map((block, place) => (
            <BlockTextView
              key={block}
              block={block}
              look={proseLook}
              name={words.summary(place + 1, summaries.length)}
              findings={at(columns.blocks.findings, block)}
              characters={at(columns.blocks.characters, block)}
            />
          ))}
          <ShowMore left={left} onPress={showMore} />
        </section>
      )}
      {summaries.length === 0 && summarised.length > 0 && <p className="muted">{words.noSummary}</p>}
      {list('cleared', first, cleared)}
      {list('dropped', first)}
      {list('reinjected', second)}
      {list('kept', first)}
      {list('added', second)}
    </div>
  );
}

const listPage = 12;

function Blocks({
  fate,
  columns,
  view,
  compaction,
  entries,
}: RequestInView & {
  readonly fate: Exclude<Fate, 'notRecorded'>;
  readonly compaction: number;
  readonly entries: readonly BlockEntry[];
}) {
  const inspector = useInspector();
  if (entries.length === 0) {
    return null;
  }
  const title = words.list(words.lists[fate], entries.length);
  return (
    <section className="stack gap-6" aria-label={title}>
      <h3 className="panel-title">
        <span className={`fate-sample fate--${fate}`} aria-hidden="true" />
        {title}
      </h3>
      <BlockRows
        columns={columns}
        view={view}
        entries={entries}
        pageLength={listPage}
        onChoose={block => {
          goToRequest(inspector, columns, view.request, block);
          inspector.changeView({ compaction });
        }}
      />
    </section>
  );
}

const tokensIn = (columns: SessionColumns, view: RequestView, block: number): number =>
  view.tokens[positionOf(columns, view, block) ?? -1] ?? 0;
