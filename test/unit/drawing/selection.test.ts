import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawnLanes } from './drawnLanes';

/** The lines of a colour around blocks, 2 pixels wide. */
const frames = (markup: string, colour: string): readonly string[] =>
  [...markup.matchAll(/<path [^>]*>/gu)].flatMap(([path]) =>
    path.includes(`stroke="var(--${colour})"`) && path.includes('stroke-width="2"') ? [path] : [],
  );

describe('the frame of the selected block', () => {
  for (const [where, spread, selected] of [
    ['around a wide block', undefined, 0],
    ['around a narrow block among spread neighbours', 20, 20],
    ['while other blocks are spread', 20, 42],
  ] as const) {
    it(`is as strong with the focus as without it, ${where}`, () => {
      const without = drawnLanes(900, spread, { selected, focused: false }).markup;
      const within = drawnLanes(900, spread, { selected, focused: true }).markup;
      assert.ok(frames(without, 'selection').length > 0);
      assert.deepEqual(frames(within, 'selection'), frames(without, 'selection'));
      assert.equal(frames(without, 'focus').length, 0);
      assert.equal(frames(within, 'focus').length, frames(within, 'selection').length);
    });
  }
});
