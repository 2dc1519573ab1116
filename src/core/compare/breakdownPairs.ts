import { groupBy } from '../base/groupBy';
import { translate } from '../base/translate';
import { carriedTokens } from '../breakdown/breakdown';
import { breakdownKinds, type BreakdownKind, breakdownWords } from '../breakdown/breakdownKinds';
import { kindOfNode } from '../breakdown/breakdownTree';
import { type PartFigures, requestFigures } from '../breakdown/partFigures';
import type { BreakdownPair } from './comparison';
import type { Side } from './side';

/** A part in the tree of one of the two sessions. */
interface Part {
  readonly node: number;
  readonly kind: BreakdownKind;
  readonly name: string;
}

type Both<Value> = readonly [Value, Value];

type Figures = Pick<PartFigures, 'tokens' | 'money'>;

/** Both breakdowns as one tree. Nodes with the same path from the top are one part. */
export function breakdownPairs(sides: Both<Side>): BreakdownPair {
  const figures: Both<Figures> = [figuresOf(sides[0]), figuresOf(sides[1])];
  const whole: Part = { node: 0, kind: 'all', name: sides[0].tree.nameOf(0) };
  return pairOf(sides, figures, [[whole], [whole]]);
}

function figuresOf({ tree, opened, request }: Side): Figures {
  return request === undefined
    ? { tokens: carriedTokens(tree), money: node => tree.money[node] ?? 0 }
    : requestFigures(tree, opened, request);
}

function pairOf(sides: Both<Side>, figures: Both<Figures>, parts: Both<readonly Part[]>): BreakdownPair {
  const below: Both<readonly Part[]> = [partsBelow(sides[0], parts[0]), partsBelow(sides[1], parts[1])];
  const [first, second] = [groupBy(below[0], keyOf), groupBy(below[1], keyOf)];
  const keys = [...new Set([...first.keys(), ...second.keys()])];
  const some = parts[0][0] ?? parts[1][0];
  const children =
    keys.length === 1 && keys[0] === rest
      ? []
      : keys
          .map(key => pairOf(sides, figures, [first.get(key) ?? [], second.get(key) ?? []]))
          .filter(pair => pair.first.tokens > 0 || pair.second.tokens > 0)
          .sort((one, other) => orderOf(one) - orderOf(other) || sizeOf(other) - sizeOf(one));
  return {
    kind: some?.kind ?? 'other',
    name: some?.name ?? '',
    first: sharesOf(figures[0], parts[0]),
    second: sharesOf(figures[1], parts[1]),
    places: [firstPlace(sides[0], parts[0]), firstPlace(sides[1], parts[1])],
    children,
  };
}

/** Groups are in the order of all breakdowns, named parts are sorted by tokens. */
const orderOf = ({ kind }: BreakdownPair): number =>
  breakdownWords[kind] === undefined ? breakdownKinds.length : breakdownKinds.indexOf(kind);
const sizeOf = ({ first, second }: BreakdownPair): number => Math.max(first.tokens, second.tokens);

const rest = 'block';
const keyOf = ({ kind, name }: Part): string =>
  kind === 'block' || breakdownWords[kind] !== undefined ? kind : `${kind} ${name}`;

function partsBelow(side: Side, above: readonly Part[]): readonly Part[] {
  const { tree, paths } = side;
  const partOf = (node: number, folder: string): Part => {
    const kind = kindOfNode(tree, node);
    const name = tree.nameOf(node);
    if (kind === 'block') {
      return { node, kind, name: translate('Rest') };
    }
    const above = isWhole(folder) ? '' : tree.commonFolder;
    return { node, kind, name: kind === 'file' ? paths.nameOf(`${above}${folder}${name}`) : name };
  };
  return above.flatMap(({ node, kind }) =>
    kind === 'block'
      ? []
      : [...tree.childrenOf(node)].flatMap(child =>
          // Folder names are relative to their session's files, so files are compared without folders.
          kindOfNode(tree, child) === 'folder'
            ? [...tree.childrenOf(child)].map(file => partOf(file, `${tree.nameOf(child)}/`))
            : [partOf(child, '')],
        ),
  );
}

const isWhole = (folder: string): boolean => /^(?:\/|~|[A-Za-z]:)/.test(folder);

function sharesOf({ tokens, money }: Figures, parts: readonly Part[]): BreakdownPair['first'] {
  const dollars = parts.reduce((sum, { node }) => sum + money(node), 0);
  return {
    tokens: parts.reduce((sum, { node }) => sum + tokens(node), 0),
    money: Number.isNaN(dollars) ? null : dollars,
  };
}

function firstPlace(side: Side, parts: readonly Part[]): BreakdownPair['places'][0] {
  for (const { node, kind } of parts) {
    const blocks = kind === 'all' ? [] : side.tree.block.subarray(node, side.tree.end[node]);
    const first = blocks.find(block => side.holds(block));
    if (first !== undefined) {
      return side.placeOf(first) ?? null;
    }
  }
  return null;
}
