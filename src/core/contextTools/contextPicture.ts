import * as v from 'valibot';
import { formatMoney, formatShare, formatShortNumber } from '../base/format';
import type { BreakdownNode } from '../breakdown/breakdown';
import { isItemKind, sourceOfGroup } from '../breakdown/parts';
import { oneLine } from '../finder/sessionText';
import { type Source, sources } from '../model/source';
import { type FillMeasure, measureOf } from './fillMeasure';

const part = v.object({
  name: v.string(),
  /** In the measure of the picture, not negative; the sum of the values of its parts. */
  value: v.pipe(v.number(), v.minValue(0)),
  /** The value as it is shown, and its share of the whole. */
  figure: v.string(),
  share: v.string(),
  source: v.picklist(sources),
  /** An index into the parts; -1 for the first one, which is the whole. */
  parent: v.pipe(v.number(), v.integer(), v.minValue(-1)),
});

const picture = v.object({
  /** Sentences above the picture. */
  heading: v.array(v.string()),
  /** A part comes after its parent. */
  parts: v.array(part),
});

export type PicturePart = v.InferOutput<typeof part>;

/** The parts of a context, to be drawn as boxes. Names come from the transcript, so they must be redacted before it is sent. */
export type ContextPicture = v.InferOutput<typeof picture>;

/** The member of a result's `_meta` with the picture, which clients do not pass to the model. */
export const pictureMember = 'context-inspector/picture';

/** A picture that came in a message; undefined if it is not one. */
export function readPicture(value: unknown): ContextPicture | undefined {
  const read = v.safeParse(picture, value);
  return read.success && read.output.parts.every(({ parent }, index) => parent < index)
    ? read.output
    : undefined;
}

/** Parts with less than this share are one part, because nobody would see their boxes. */
const leastShare = 1 / 2000;

/** The tree of a breakdown as a picture. */
export function contextPicture(
  root: BreakdownNode,
  by: FillMeasure,
  heading: readonly string[],
): ContextPicture {
  const whole = measureOf(root, by);
  const parts: PicturePart[] = [];
  const add = (name: string, value: number, source: Source, parent: number): number =>
    parts.push({
      name: oneLine(name),
      value,
      figure: by === 'money' ? formatMoney(value) : formatShortNumber(value),
      share: formatShare(whole === 0 ? 0 : value / whole),
      source,
      parent,
    }) - 1;
  const addNode = (node: BreakdownNode, above: Source, parent: number): void => {
    const source = sourceOfGroup(node.kind) ?? above;
    const index = add(node.name, measureOf(node, by), source, parent);
    if (isItemKind(node.kind)) {
      return;
    }
    const small: BreakdownNode[] = [];
    for (const child of node.children) {
      if (measureOf(child, by) >= leastShare * whole) {
        addNode(child, source, index);
      } else {
        small.push(child);
      }
    }
    const rest = small.reduce((sum, child) => sum + measureOf(child, by), 0);
    if (rest > 0) {
      add(`${small.length} smaller`, rest, source, index);
    }
  };
  addNode(root, 'tools', -1);
  return { heading: [...heading], parts };
}
