import { formatNumber } from '../../src/core/base/format';
import { at } from '../../src/core/base/numbers';
import { kindOfNode } from '../../src/core/breakdown/breakdownTree';
import { blocksOfPart, pathTo } from '../../src/core/breakdown/parts';
import { firstRequest, fullName, holdsBlock, iconOf } from '../state/breakdown';
import type { BreakdownParts } from '../state/breakdownParts';
import { goToRequest } from '../state/cacheReport';
import { positionOf } from '../state/derived';
import { useInspector, useViewState } from '../state/inspector';
import { breakdownWords as words } from '../words/breakdown';
import { figuresText } from './BreakdownTip';
import { Icon } from './Icon';

/** More would be a list to search in, and the drawing of the part is one. */
const mostArrivals = 8;

/** The selected part, or all that is shown: when it came in, what it stands for, and the ways to it. */
export function BreakdownFooter(parts: BreakdownParts) {
  const { tree, columns, figures, choices, root, goInto } = parts;
  const inspector = useInspector();
  const selectedBlock = useViewState('block');
  const node = parts.selected ?? root;
  const blocks = blocksOfPart(tree, node);
  const current =
    selectedBlock !== undefined && holdsBlock(tree, node, selectedBlock) ? selectedBlock : undefined;
  const texts = figuresText(figures, choices.scope, node);
  const kind = kindOfNode(tree, node);
  const isListed = node !== 0 && at(tree.block, node) < 0 && blocks.length > 0;
  return (
    <section className="breakdown__footer small" aria-label={words.selection} data-testid="breakdown-footer">
      <div className="breakdown__line">
        {node !== 0 && <Icon icon={iconOf(tree, columns, node)} />}
        <strong className="breakdown__name ellipsis" title={fullName(tree, columns, node)}>
          {fullName(tree, columns, node)}
        </strong>
        {isListed && (
          <span className="breakdown__arrivals" role="group" aria-label={kind === 'file' ? words.readAt : words.cameAt}>
            <span className="muted" aria-hidden="true">
              {kind === 'file' ? words.readAt : words.cameAt}
            </span>
            {blocks.slice(0, mostArrivals).map((block, index) => (
              <Arrival
                key={block}
                {...parts}
                node={node}
                block={block}
                place={index + 1}
                isCurrent={block === current}
              />
            ))}
            {blocks.length > mostArrivals && node !== root && (
              <button type="button" className="breakdown__chip bare tabular" onClick={() => goInto(node)}>
                {words.moreArrivals(blocks.length - mostArrivals)}
              </button>
            )}
          </span>
        )}
        <span className="breakdown__ways">
          {node !== 0 && blocks.length > 0 && (
            <button
              type="button"
              className="breakdown__way-to bare"
              title={words.lanesHint}
              onClick={() => showInLanes(parts, node, blocks, current)}
            >
              {words.lanes}
            </button>
          )}
          {node !== 0 && blocks[0] !== undefined && (
            <button
              type="button"
              className="breakdown__way-to bare"
              title={words.lineHint}
              onClick={() => inspector.act({ kind: 'revealSource', block: current ?? blocks[0] ?? 0 })}
            >
              {words.line(at(columns.blocks.line, current ?? blocks[0]))}
            </button>
          )}
        </span>
      </div>
      <p className="breakdown__figures tabular ellipsis">
        {texts.money !== undefined && <strong>{texts.money}</strong>}
        {choices.scope === 'session' && <span>{texts.carried}</span>}
        <span className="breakdown__cached">{texts.cached}</span>
        <span>{texts.fresh}</span>
        <span>{texts.long}</span>
      </p>
    </section>
  );

  /** Shows the part lit in the lanes, in a request that carries some of it. */
  function showInLanes(
    { view }: BreakdownParts,
    lit: number,
    own: readonly number[],
    block: number | undefined,
  ): void {
    const isThere = (candidate: number): boolean => positionOf(columns, view, candidate) !== undefined;
    if (!(block === undefined ? own.some(isThere) : isThere(block))) {
      const request = lastHolder(parts, block === undefined ? own : [block]);
      if (request !== undefined) {
        goToRequest(inspector, columns, request);
      }
    }
    inspector.changeView({
      mainView: 'layout',
      ...(at(tree.block, lit) >= 0 ? {} : { part: pathTo(tree, lit) }),
    });
  }
}

/** The last request that holds one of some blocks. */
function lastHolder({ columns }: BreakdownParts, blocks: readonly number[]): number | undefined {
  const wanted = new Set(blocks);
  const { requests } = columns;
  const ends = columns.contexts.map(context => context.findIndex(block => wanted.has(block)));
  for (let request = requests.context.length - 1; request >= 0; request -= 1) {
    const place = ends[at(requests.context, request)] ?? -1;
    if (place >= 0 && place < at(requests.length, request)) {
      return request;
    }
  }
  return undefined;
}

/** A time at which the part came in: leads to it there. */
function Arrival({
  tree,
  columns,
  node,
  block,
  place,
  isCurrent,
}: BreakdownParts & {
  readonly node: number;
  readonly block: number;
  readonly place: number;
  readonly isCurrent: boolean;
}) {
  const inspector = useInspector();
  const request = at(columns.blocks.firstRequest, block);
  const number = firstRequest(columns, block);
  const name = words.arrival(place, number, at(columns.blocks.tokens, block));
  return (
    <button
      type="button"
      className={`breakdown__chip bare tabular${isCurrent ? ' breakdown__chip--current' : ''}`}
      aria-label={name}
      aria-pressed={isCurrent}
      title={name}
      onClick={() => {
        inspector.changeView({ part: pathTo(tree, node), block, panel: 'block' });
        if (request >= 0) {
          goToRequest(inspector, columns, request, block);
        }
      }}
    >
      {request < 0 ? formatNumber(place) : number}
    </button>
  );
}
