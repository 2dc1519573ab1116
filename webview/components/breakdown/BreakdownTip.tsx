import { formatMoney, formatShare } from '../../../src/core/base/format';
import { at } from '../../../src/core/base/numbers';
import { nodesTo } from '../../../src/core/breakdown/parts';
import { sensitivityWords } from '../../../src/core/drawing/drawingWords';
import { sensitivityLabels } from '../../../src/core/model/labels';
import type { PartFigures } from '../../../src/core/breakdown/partFigures';
import { fullName, looksOf, nameOf } from '../../state/breakdown';
import type { BreakdownParts } from '../../state/breakdownParts';
import type { BreakdownScope } from '../../state/viewState';
import { breakdownWords as words } from '../../words/breakdown';

/** The tokens and cost of a part, in each measure. Money is left out if no price is known. */
export function figuresText(
  figures: PartFigures,
  scope: BreakdownScope,
  node: number,
): {
  readonly money: string | undefined;
  readonly carried: string;
  readonly cached: string;
  readonly fresh: string;
  readonly long: string;
} {
  const [tokens, carried, cached, money] = [
    figures.tokens(node),
    figures.carried(node),
    figures.cached(node),
    figures.money(node),
  ];
  return {
    money: money > 0 ? formatMoney(money) : undefined,
    carried: words.figures.carried(carried),
    cached: words.figures.cached(Math.round(cached)),
    fresh: words.figures.fresh(Math.max(0, Math.round(carried - cached))),
    long: scope === 'session' ? words.figures.countedOnce(tokens) : words.figures.tokens(tokens),
  };
}

/** The known facts about a part, for the tooltip. */
export function PartTip({
  tree,
  columns,
  figures,
  valueAt,
  choices,
  node,
  isRest,
}: BreakdownParts & { readonly node: number; readonly isRest: boolean }) {
  const way = nodesTo(tree, at(tree.parent, node)).map(step => nameOf(tree, columns, step));
  const label = sensitivityLabels[at(looksOf(tree, columns).sensitivity, node)] ?? 'public';
  const texts = figuresText(figures, choices.scope, node);
  const whole = valueAt(0);
  return (
    <>
      {way.length > 0 && <span className="muted ellipsis">{way.join(' › ')}</span>}
      <strong className="ellipsis">{fullName(tree, columns, node)}</strong>
      {isRest && <span>{words.smallParts}</span>}
      <span>
        {[formatShare(whole === 0 ? 0 : valueAt(node) / whole), texts.long, texts.money]
          .filter(text => text !== undefined)
          .join(' · ')}
      </span>
      <span>
        {texts.cached} · {texts.fresh}
      </span>
      <span>
        {words.blocksIn(at(tree.blocks, node))}
        {label === 'public' ? '' : ` · ${sensitivityWords[label]}`}
      </span>
    </>
  );
}
