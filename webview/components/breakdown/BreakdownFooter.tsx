import { useRef } from 'react';
import { at, clamp } from '../../../src/core/base/numbers';
import { kindOfNode } from '../../../src/core/breakdown/breakdownTree';
import { blocksOfPart, pathTo } from '../../../src/core/breakdown/parts';
import { useSize } from '../../drawing/canvasHooks';
import { firstArrivals, firstRequest, fullName, holdsBlock, iconOf } from '../../state/breakdown';
import type { BreakdownParts } from '../../state/breakdownParts';
import { goToRequest } from '../../state/cacheReport';
import { positionOf } from '../../state/derived';
import { useInspector, useViewState } from '../../state/inspector';
import { breakdownWords as words } from '../../words/breakdown';
import { figuresText } from './BreakdownTip';
import { Icon } from '../common/Icon';

/** Maximum number of listed arrivals. The drawing of the part is better for searching in more. */
const mostArrivals = 8;
/** In CSS pixels: the width of the name and the other buttons, and of each arrival. */
const room = { others: 400, arrival: 34 } as const;

/**
 * The selected part, or the whole view: its first blocks, its size or cost, and its links.
 */
export function BreakdownFooter(parts: BreakdownParts) {
  const { tree, columns, figures, choices, root, goInto } = parts;
  const inspector = useInspector();
  const selectedBlock = useViewState('block');
  const footer = useRef<HTMLElement>(null);
  const { width } = useSize(footer);
  const most = clamp(Math.floor((width - room.others) / room.arrival), 3, mostArrivals);
  const node = parts.selected ?? root;
  const first = firstArrivals(tree, columns, node, most);
  const current =
    selectedBlock !== undefined && node !== 0 && holdsBlock(tree, node, selectedBlock)
      ? selectedBlock
      : undefined;
  // The current one is always included.
  const arrivals =
    current === undefined || first.includes(current) ? first : [...first.slice(0, -1), current];
  const count = at(tree.blocks, node);
  const source = current ?? first[0];
  const texts = figuresText(figures, choices.scope, node);
  const kind = kindOfNode(tree, node);
  const isListed = node !== 0 && at(tree.block, node) < 0 && count > 0;
  return (
    <section
      ref={footer}
      className="breakdown__footer stack gap-2 small"
      aria-label={words.selection}
      data-testid="breakdown-footer"
    >
      <div className="breakdown__line row shrinks">
        {node !== 0 && <Icon icon={iconOf(tree, columns, node)} />}
        <strong className="breakdown__name ellipsis" title={fullName(tree, columns, node)}>
          {fullName(tree, columns, node)}
        </strong>
        {isListed && (
          <span
            className="breakdown__arrivals row gap-4 shrinks slides unbroken"
            role="group"
            aria-label={kind === 'file' ? words.readAt : words.cameAt}
          >
            <span className="muted" aria-hidden="true">
              {kind === 'file' ? words.readAt : words.cameAt}
            </span>
            {arrivals.map((block, index) => (
              <Arrival
                key={block}
                {...parts}
                node={node}
                block={block}
                place={block === current && !first.includes(block) ? undefined : index + 1}
                isCurrent={block === current}
              />
            ))}
            {count > most && node !== root && (
              <button
                type="button"
                className="breakdown__chip bare pressable rigid tabular"
                onClick={() => goInto(node)}
              >
                {words.moreArrivals(count - most)}
              </button>
            )}
          </span>
        )}
        <span className="row rigid gap-6 end">
          {node !== 0 && count > 0 && (
            <button
              type="button"
              className="breakdown__way-to bare pressable rigid"
              title={words.lanesHint}
              onClick={() => showInLanes(parts, node, current)}
            >
              {words.lanes}
            </button>
          )}
          {node !== 0 && source !== undefined && (
            <button
              type="button"
              className="breakdown__way-to bare pressable rigid"
              title={words.lineHint}
              onClick={() => inspector.act({ kind: 'revealSource', block: source })}
            >
              {words.line(at(columns.blocks.line, source))}
            </button>
          )}
        </span>
      </div>
      <p className="breakdown__figures muted tabular ellipsis">
        {texts.money !== undefined && <strong>{texts.money}</strong>}
        {choices.scope === 'session' && <span>{texts.carried}</span>}
        <span className="breakdown__cached">{texts.cached}</span>
        <span>{texts.fresh}</span>
        <span>{texts.long}</span>
      </p>
    </section>
  );

  /** Highlights the part in the lanes, in a request that carries some of it. */
  function showInLanes({ view }: BreakdownParts, lit: number, block: number | undefined): void {
    const own = blocksOfPart(tree, lit);
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

/** The last request that contains one of some blocks. */
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

/** A time at which the part arrived, with a link to it. */
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
  /** Undefined if the number of earlier ones is unknown. */
  readonly place: number | undefined;
  readonly isCurrent: boolean;
}) {
  const inspector = useInspector();
  const request = at(columns.blocks.firstRequest, block);
  const number = firstRequest(columns, block);
  const name = words.arrival(place, number, at(columns.blocks.tokens, block));
  return (
    <button
      type="button"
      className={`breakdown__chip bare pressable rigid tabular${isCurrent ? ' breakdown__chip--current' : ''}`}
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
      {request < 0 ? '–' : number}
    </button>
  );
}
