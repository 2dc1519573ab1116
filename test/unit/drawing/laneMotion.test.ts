import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type LaneChoices, laneBlocks, laneContent } from '../../../src/core/drawing/laneContent';
import { LaneLayout } from '../../../src/core/drawing/laneLayout';
import { laneMotion } from '../../../src/core/drawing/laneMotion';
import type { LanePicture } from '../../../src/core/drawing/laneScene';
import { laneStyleFor } from '../../../src/core/drawing/laneStyle';
import { buildRequestView } from '../../../src/core/view/requestView';
import { LaneTween, motionMilliseconds, type Shown } from '../../../webview/drawing/laneTween';
import { HandMade, measuresOf, toColumns } from '../session/handMade';

const style = laneStyleFor(800, 600);
const everything = { top: 0, bottom: 10_000 };
/** A row of 1,000 tokens. */
const rowTokens = 1_000;

/** Ten blocks of 300 tokens, then the same session compacted: a summary, and its last three blocks. */
function session() {
  const made = new HandMade();
  const blocks = Array.from({ length: 10 }, (_, index) => made.prompt(`block ${index}`));
  const summary = made.prompt('summary');
  const usage = { input: 0, cacheRead: 1_200, cacheWrite: 1_800, output: 0 };
  made.request(made.builder.startContext(blocks), 10, { model: 'acme-1', complete: true, usage });
  made.request(made.builder.startContext([summary, ...blocks.slice(7)]), 4, {
    model: 'acme-1',
    complete: true,
    usage: { ...usage, cacheRead: 0, cacheWrite: 1_200 },
  });
  const transcript = made.build();
  const columns = toColumns(
    transcript,
    measuresOf(transcript, () => 300),
  );
  const plain: LaneChoices = { mode: 'source', prune: undefined, boundaries: [], shown: undefined };
  const picture = (request: number, choices: Partial<LaneChoices> = {}, tokens = rowTokens): LanePicture => {
    const view = buildRequestView(columns, request);
    return {
      layout: new LaneLayout(laneBlocks(columns, view), style, tokens),
      content: laneContent(columns, view, { ...plain, ...choices }),
    };
  };
  const isCandidate = Uint8Array.from(columns.blocks.kind, (_, block) => (block === 2 ? 1 : 0));
  return { columns, picture, prune: { isCandidate, prefix: { blocks: 2, tokens: 600 } } };
}

/** The positions of the blocks that the compaction has kept. */
const formerOf = (position: number): number | undefined => (position === 0 ? undefined : position + 6);
const same = (position: number): number => position;

const boxes = ({ layout }: LanePicture) =>
  Array.from(layout.rowTops, (top, row) => ({ top, ...layout.row(row) }));

describe('motion of the lanes', () => {
  it('begins with what was there and ends with the still picture', () => {
    const { picture } = session();
    const [before, after] = [picture(0), picture(1)];
    const at = laneMotion(before, after, formerOf, everything);
    const first = at(0);
    // The first row had blocks 0 to 3. The kept blocks were in other rows, so they fade like the summary.
    assert.deepEqual([0, 1, 2, 3].map(first.content.presenceOf), [0, 0, 0, 0]);
    assert.deepEqual(first.motion?.cachedTokens.at(-1), 1_200);
    const { leaving } = first.motion;
    assert.deepEqual(boxes(leaving), boxes(before));
    assert.equal(leaving.content.alphaOf(5), 1);
    const last = at(1);
    assert.deepEqual(boxes(last), boxes(after));
    assert.equal(last.motion?.leaving.content.alphaOf(5), 0);
    assert.equal(last.motion.cachedTokens.at(-1), 0);
    assert.deepEqual([0, 1, 2, 3].map(last.content.presenceOf), [1, 1, 1, 1]);
  });

  it('lets blocks glide inside their row, and others fade', () => {
    const { picture } = session();
    const [before, after] = [picture(0), picture(0, {}, 2_000)];
    const at = laneMotion(before, after, same, everything);
    const from = before.layout.row(0);
    const middle = at(0.5).layout.row(0);
    const to = after.layout.row(0);
    // Blocks 0 to 3 were in the first row before; the others come from the rows below.
    for (const box of [0, 1, 2, 3]) {
      const half = ((from.lefts[box] ?? 0) + (to.lefts[box] ?? 0)) / 2;
      assert.ok(Math.abs((middle.lefts[box] ?? 0) - half) < 1e-9, `${box}`);
    }
    assert.notEqual(middle.lefts[1], to.lefts[1]);
    const { presenceOf } = at(0.5).content;
    assert.deepEqual([0, 3, 4, 9].map(presenceOf), [1, 1, 0.5, 0.5]);
    // Blocks that stay in the first row do not also leave it.
    assert.deepEqual([...(at(0.5).motion?.leaving.layout.row(0).positions ?? [])], []);
  });

  it('hatches a candidate from its end, and fades what a prune leaves aside', () => {
    const { picture, prune } = session();
    const at = laneMotion(picture(0), picture(0, { prune }), same, everything);
    const { content } = at(0.25);
    assert.deepEqual([content.hatchOf(2), content.hatchOf(3)], [0.25, 0]);
    assert.equal(content.alphaOf(2), 1);
    assert.ok(content.alphaOf(3) < 1 && content.alphaOf(3) > 0.26);
    assert.equal(at(1).content.alphaOf(3), 0.26);
    // The way back keeps the hatch until it has faded.
    const back = laneMotion(picture(0, { prune }), picture(0), same, everything)(0.25).content;
    assert.deepEqual([back.hasCandidates, back.hatchOf(2)], [true, 0.75]);
  });

  it('moves only the rows that the window shows', () => {
    const { picture } = session();
    const [before, after] = [picture(0), picture(0, {}, 2_000)];
    const history = after.layout.lanes.at(-1);
    const second = (history?.firstRow ?? 0) + 1;
    const bottom = (after.layout.rowTops[second] ?? 0) - style.rowGap;
    const { layout } = laneMotion(before, after, same, { top: 0, bottom })(0);
    assert.deepEqual(layout.row(second), after.layout.row(second));
    assert.notDeepEqual(layout.row(second - 1), after.layout.row(second - 1));
  });
});

describe('the tween', () => {
  function shown(isWanted = true) {
    const { columns, picture, prune } = session();
    const tween = new LaneTween(() => isWanted);
    const one: Shown = { picture: picture(0), columns, request: 0, prune: undefined };
    const other: Shown = { picture: picture(1), columns, request: 1, prune: undefined };
    const pruned: Shown = { ...one, picture: picture(0, { prune }), prune };
    const at = (next: Shown, now: number) =>
      tween.at(next, (_, position) => formerOf(position), everything, now);
    return { one, other, pruned, at };
  }

  it('brings in another request, then shows the still picture itself', () => {
    const { one, other, at } = shown();
    assert.deepEqual(at(one, 0), { picture: one.picture, isMoving: false });
    assert.equal(at(other, 1_000).isMoving, true);
    assert.notEqual(at(other, 1_050).picture, other.picture);
    assert.deepEqual(at(other, 1_000 + motionMilliseconds), { picture: other.picture, isMoving: false });
    assert.equal(at(other, 1_001).isMoving, false, 'what has ended does not begin again');
  });

  it('jumps where no motion is wanted', () => {
    const { one, other, at } = shown(false);
    at(one, 0);
    assert.deepEqual(at(other, 1_000), { picture: other.picture, isMoving: false });
  });

  it('never makes fast scrubbing wait: the next change ends a motion and is shown at once', () => {
    const { one, other, at } = shown();
    at(one, 0);
    assert.equal(at(other, 1_000).isMoving, true);
    assert.deepEqual(at(one, 1_100), { picture: one.picture, isMoving: false });
    assert.deepEqual(at(other, 1_300), { picture: other.picture, isMoving: false });
    assert.equal(at(one, 1_600).isMoving, true);
  });

  it('brings in a prune, but no filter, no zoom and no other session', () => {
    const { one, other, pruned, at } = shown();
    at(one, 0);
    assert.equal(at(pruned, 1_000).isMoving, true);
    at(pruned, 2_000);
    const filtered = { ...pruned, picture: { ...pruned.picture } };
    assert.deepEqual(at(filtered, 3_000), { picture: filtered.picture, isMoving: false });
    assert.equal(at({ ...other, columns: {} }, 4_000).isMoving, false);
  });
});
