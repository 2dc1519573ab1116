import { useMemo } from 'react';
import { formatMoney, formatShare } from '../../../src/core/base/format';
import { at } from '../../../src/core/base/numbers';
import { type BreakdownTree, kindOfNode } from '../../../src/core/breakdown/breakdownTree';
import type { SessionColumns, SessionSummary } from '../../../src/core/model/columns';
import { isWithin, nodesTo, pathTo } from '../../../src/core/breakdown/parts';
import { figureTokens } from '../../../src/core/tokens/qualityWords';
import { type BreakdownScope, notRecordedBlock } from '../../state/viewState';
import {
  type BreakdownChoices,
  figuresIn,
  nameOf,
  rootAt,
  selectedNode,
  selectNode,
  useBreakdownTree,
  useBreakdownView,
  valuesOf,
} from '../../state/breakdown';
import type { BreakdownParts } from '../../state/breakdownParts';
import { requestNumber } from '../../state/cacheReport';
import { costOf } from '../../state/derived';
import { useInspector, useViewState } from '../../state/inspector';
import type { RequestParts } from '../../state/requestParts';
import { breakdownWords as words } from '../../words/breakdown';
import { BreakdownFooter } from './BreakdownFooter';
import { BreakdownMap } from './BreakdownMap';
import { BreakdownTable } from './BreakdownTable';

/** The treemap of a request or the session by origin, or the same as a table. */
export function BreakdownView(parts: RequestParts) {
  const tree = useBreakdownTree(parts, true);
  return (
    <div className="breakdown" data-testid="breakdown" aria-busy={tree === undefined}>
      {tree === undefined ? (
        <p className="breakdown__empty muted" role="status">
          {words.computing}
        </p>
      ) : (
        <Known {...parts} tree={tree} />
      )}
    </div>
  );
}

function Known({ tree, ...parts }: RequestParts & { readonly tree: BreakdownTree }) {
  const { columns, summary, view } = parts;
  const inspector = useInspector();
  const { changeView } = inspector;
  const [wanted, choose] = useBreakdownView(inspector);
  const part = useViewState('part');
  const block = useViewState('block');
  const figures = figuresIn(tree, columns, summary, wanted.scope, view.request);
  const measure = wanted.measure === 'money' && !figures.hasPrices ? 'carried' : wanted.measure;
  const choices = useMemo((): BreakdownChoices => ({ ...wanted, measure }), [wanted, measure]);
  const root = rootAt(tree, wanted.root);
  const thread = at(columns.requests.thread, view.request);
  const select = (node: number): void => selectNode(inspector, tree, node);
  const goInto = (node: number): void => choose({ root: pathTo(tree, node) });
  const shared: BreakdownParts = {
    ...parts,
    tree,
    figures,
    valueAt: valuesOf(figures, choices.measure),
    choices,
    root,
    selected: selectedNode(tree, { part, block }, thread),
    select,
    goInto,
    open: node => {
      const own = at(tree.block, node);
      if (own >= 0 || kindOfNode(tree, node) === 'notRecorded') {
        changeView({ part: undefined, block: own >= 0 ? own : notRecordedBlock, panel: 'block' });
        return false;
      }
      goInto(node);
      return true;
    },
    goOut: () => {
      if (root === 0) {
        return false;
      }
      goInto(at(tree.parent, root));
      select(root);
      return true;
    },
  };
  const isEmpty = shared.valueAt(root) <= 0;
  return (
    <>
      <div className="breakdown__head row shrinks">
        <Crumbs {...shared} />
        <Total {...shared} />
      </div>
      <div className="breakdown__content filled">
        {choices.isTable ? <BreakdownTable {...shared} /> : <BreakdownMap {...shared} />}
        {isEmpty && (
          <p className="breakdown__empty muted" role="status">
            {choices.scope === 'session'
              ? words.emptySession
              : words.empty(requestNumber(columns, view.request))}
          </p>
        )}
      </div>
      <BreakdownFooter {...shared} />
    </>
  );
}

/** The path to the shown part, and on to the selected one. */
function Crumbs({ tree, columns, root, selected, goInto, select }: BreakdownParts) {
  const isInside = selected !== undefined && selected !== root && isWithin(tree, selected, root);
  const way = [0, ...nodesTo(tree, isInside ? selected : root)];
  return (
    <nav className="breakdown__crumbs shrinks small" aria-label={words.path}>
      <ol className="row gap-0 shrinks">
        {way.map((node, index) => (
          <li key={node} className="breakdown__step row gap-0">
            {index === way.length - 1 ? (
              <strong className="breakdown__crumb shrinks ellipsis" aria-current="location">
                {nameOf(tree, columns, node)}
              </strong>
            ) : (
              <button
                type="button"
                className="breakdown__crumb bare rounded muted shrinks ellipsis"
                aria-label={words.upTo(nameOf(tree, columns, node))}
                onClick={() => {
                  goInto(node);
                  select(node);
                }}
              >
                {nameOf(tree, columns, node)}
              </button>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** The cost of a request or its conversation, including the output. */
function costWithReply(
  columns: SessionColumns,
  summary: SessionSummary,
  scope: BreakdownScope,
  request: number,
): number {
  const { total, byThread, byRequest } = costOf(columns, summary);
  const thread = at(columns.requests.thread, request);
  const session = thread === 0 ? total : byThread.find(cost => cost.thread === thread);
  return scope === 'request' ? at(byRequest, request) : (session ?? total).money;
}

/** The total of the shown parts. */
function Total({ columns, summary, view, figures, root, choices, valueAt }: BreakdownParts) {
  const { scope, measure } = choices;
  const shown = valueAt(root);
  const text =
    measure === 'money'
      ? root === 0
        ? words.total(valueAt(0), costWithReply(columns, summary, scope, view.request) - valueAt(0))
        : formatMoney(shown)
      : measure === 'carried'
        ? `${words.figures.carried(shown)} · ${words.cachedShare(shown === 0 ? 0 : figures.cached(root) / shown)}`
        : scope === 'session'
          ? words.figures.countedOnce(shown)
          : root === 0
            ? figureTokens({ ...view.total, value: shown })
            : words.figures.tokens(shown);
  const share = valueAt(0) === 0 ? 1 : shown / valueAt(0);
  return (
    <span className="breakdown__total muted small numeric ellipsis" data-testid="breakdown-total">
      {root === 0 ? text : `${text} · ${formatShare(share)}`}
    </span>
  );
}
