import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { historyOf, proofOf } from '../../../research/samples/radarHistories';
import { findChanges, type TestedSession } from '../../../src/core/radar/changePoints';

/** Sessions of two versions with these values. */
const sessions = (before: readonly number[], after: readonly number[]): readonly TestedSession[] =>
  [before, after].flatMap((values, version) =>
    values.map(value => ({ version, stratum: 'one', values: [value] })),
  );

const numbers = (from: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => from + index);

describe('the change points of versions', () => {
  it('finds a planted regression at its version, and nothing else', () => {
    const quiet = { versions: 40, perVersion: 20, scatter: 0.25, zeros: 0, figures: 4 };
    const { right, within, others } = proofOf(quiet, 1.5, 10);
    assert.deepEqual({ right, within, others }, { right: 10, within: 10, others: 0 });
  });

  it('is silent where versions do not differ', () => {
    const noisy = { versions: 40, perVersion: 10, scatter: 1, zeros: 0.25, figures: 8 };
    assert.equal(proofOf(noisy, 1, 100).others, 0);
  });

  it('finds a regression and its end', () => {
    const history = { versions: 20, perVersion: 20, scatter: 0.25, zeros: 0, figures: 1 };
    const planted = historyOf(history, 5).map(session => ({
      ...session,
      values: session.values.map(value => (session.version >= 8 && session.version < 12 ? 3 * value : value)),
    }));
    assert.deepEqual(
      findChanges(planted, 1, 20, 0.01).map(({ version, isHigher }) => [version, isHigher]),
      [
        [8, true],
        [12, false],
      ],
    );
  });

  it('says nothing about a change of the project, or about few sessions', () => {
    const found = (all: readonly TestedSession[]) => findChanges(all, 1, 2, 0.01).length;
    assert.equal(found(sessions(numbers(0, 12), numbers(100, 12))), 1);
    assert.equal(found(sessions(numbers(0, 12), numbers(100, 4))), 0);
    const moved = sessions(numbers(0, 12), numbers(100, 12)).map(session => ({
      ...session,
      stratum: String(session.version),
    }));
    assert.equal(found(moved), 0);
  });

  it('gives the exact chance of a rank sum, for two versions', () => {
    // The largest difference of 6 and 6 sessions has the chance 2 / C(12, 6) = 0.00216.
    const [change] = findChanges(sessions(numbers(0, 6), numbers(100, 6)), 1, 2, 0.01);
    assert.ok(change !== undefined && Math.abs(change.p - 2 / 924) < 0.002, String(change?.p));
    assert.deepEqual(change.sessions, { before: 6, after: 6 });
  });

  it('leaves out unknown values, and equal values are no difference', () => {
    const equal = sessions(
      Array.from({ length: 20 }, () => 1),
      Array.from({ length: 20 }, () => 1),
    );
    assert.deepEqual(findChanges(equal, 1, 2, 0.01), []);
    const unknown = sessions(
      numbers(0, 12),
      Array.from({ length: 12 }, () => Number.NaN),
    );
    assert.deepEqual(findChanges(unknown, 1, 2, 0.01), []);
  });
});
