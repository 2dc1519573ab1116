import * as v from 'valibot';
import { formatMoney, formatNumber, formatShare } from '../base/format';
import { breakdown, type BreakdownNode } from '../breakdown/breakdown';
import { breakdownWords } from '../breakdown/breakdownKinds';
import { contextPicture } from './contextPicture';
import { commonParams, contextTool, requestParam } from './contextTool';
import { fillMeasures, type FillMeasure, measureOf } from './fillMeasure';
import { recorded } from './recordedText';
import { requestAt } from './requestAt';

/** The levels of the tree that are shown if the caller does not say how many. */
const usualDepth = 2;

export const whatFillsContext = contextTool({
  name: 'what_fills_context',
  title: 'What fills the context',
  description:
    'Tree of what a request holds: tools, files, shell output, memory… by tokens, tokens carried over the session, or money.',
  params: {
    depth: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(9))),
    by: v.optional(v.picklist(fillMeasures)),
    request: requestParam,
    ...commonParams,
  },
  answer: async ({ depth = usualDepth, by = 'tokens', request, session: wanted }, { open }) => {
    const { session, conversation } = await open(wanted);
    const { root, unpriced, requests } = breakdown(
      session.toSession(),
      requestAt(session, conversation, request),
    );
    const lines: string[] = [];
    const add = (node: BreakdownNode, level: number): void => {
      lines.push(`${'  '.repeat(level)}${lineOf(node, root, by)}`);
      if (level < depth) {
        [...node.children]
          .filter(child => child.kind !== 'block' && measureOf(child, by) > 0)
          .sort((one, other) => measureOf(other, by) - measureOf(one, by))
          .forEach(child => {
            add(child, level + 1);
          });
      }
    };
    add(root, 0);
    return [
      ...lines,
      ...(by === 'money' && unpriced > 0
        ? [`No price is known for ${unpriced} of ${requests} requests.`]
        : []),
    ];
  },
  picture: async ({ by = 'tokens', request, session: wanted }, { open }) => {
    const { session, conversation } = await open(wanted);
    const { root } = breakdown(session.toSession(), requestAt(session, conversation, request));
    return contextPicture(root, by, [measureWords[by]]);
  },
});

const measureWords: Readonly<Record<FillMeasure, string>> = {
  tokens: 'Tokens of the request',
  carried: 'Tokens carried over the session',
  money: 'Cost of carrying them over the session, at list prices',
};

function lineOf(node: BreakdownNode, root: BreakdownNode, by: FillMeasure): string {
  const value = measureOf(node, by);
  const whole = measureOf(root, by);
  const figure =
    by === 'money' ? (node.money === null ? 'price not known' : formatMoney(value)) : formatNumber(value);
  const name = node.name === breakdownWords[node.kind] ? node.name : recorded(node.name);
  return `${name}: ${figure}${whole === 0 ? '' : ` (${formatShare(value / whole)})`}`;
}
