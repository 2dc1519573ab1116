import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  calibrateRequest,
  fitCalibration,
  type CalibrationRequest,
} from '../../../src/core/tokens/calibration';
import { earlierClaudePrior } from '../../../src/core/tokens/tokenizerPrior';

/** A session with a hidden prefix of 20,000 tokens whose contents cost `scale` per estimated token. */
function session(growths: readonly number[], scale: number): CalibrationRequest[] {
  let visibleEstimate = 0;
  return growths.map(growth => {
    visibleEstimate += growth;
    return { recordedInput: 20_000 + visibleEstimate * scale, visibleEstimate, epoch: 0, complete: false };
  });
}

describe('fitCalibration', () => {
  it('finds the scale behind a hidden prefix', () => {
    const fitted = fitCalibration(session([100, 400, 1000, 200, 5000, 800], 1.25), earlierClaudePrior);
    assert.deepEqual(fitted, { scale: 1.25, error: 0, source: 'session', observations: 5 });
  });

  it('is not moved by one request with a large injection', () => {
    const requests = session([100, 400, 1000, 200, 900, 800, 700], 1.25).map((request, index) =>
      index >= 3 ? { ...request, recordedInput: request.recordedInput + 50_000 } : request,
    );
    assert.equal(fitCalibration(requests, earlierClaudePrior).scale, 1.25);
  });

  it('falls back to the prior with fewer than five observations', () => {
    const expected = { scale: 1.18, error: 0.15, source: 'prior', observations: 0 };
    assert.deepEqual(fitCalibration(session([100, 400, 1000, 200, 900], 1.25), earlierClaudePrior), expected);
    assert.deepEqual(fitCalibration([], earlierClaudePrior), expected);
  });

  it('takes no difference across epochs, nor from shrinking or tiny growth', () => {
    const requests = session([100, 400, 1000, 30, 900, 800, 600], 1.25).map((request, index) => ({
      ...request,
      epoch: index < 2 ? 0 : 1,
    }));
    assert.equal(fitCalibration(requests, earlierClaudePrior).source, 'prior');
  });

  it('takes complete requests at their word', () => {
    const complete: CalibrationRequest = {
      recordedInput: 1500,
      visibleEstimate: 1000,
      epoch: 0,
      complete: true,
    };
    assert.deepEqual(fitCalibration([complete], earlierClaudePrior), {
      scale: 1.5,
      error: 0,
      source: 'session',
      observations: 1,
    });
  });

  it('stays within what a tokenizer can do', () => {
    assert.equal(fitCalibration(session([1, 100, 100, 100, 100, 100], 9), earlierClaudePrior).scale, 2.5);
    assert.equal(fitCalibration(session([1, 100, 100, 100, 100, 100], 0.1), earlierClaudePrior).scale, 0.7);
  });
});

describe('calibrateRequest', () => {
  const calibration = { scale: 1.5, error: 0.1 };

  it('leaves the rest of the recorded total as not recorded', () => {
    const { tokens, ...rest } = calibrateRequest(1000, [100, 1, 99], calibration, false);
    // 200 estimated tokens are 300 recorded ones; cumulative: 150, 151.5 -> 152, 300.
    assert.deepEqual([...tokens], [150, 2, 148]);
    assert.deepEqual(rest, {
      quality: 'calibrated',
      error: 0.1,
      notRecorded: { value: 700, quality: 'calibrated', error: 30 / 700 },
      total: { value: 1000, quality: 'exact' },
    });
  });

  it('scales to the total when the blocks would exceed it, or the request is complete', () => {
    for (const [recorded, complete] of [
      [200, false],
      [1000, true],
    ] as const) {
      const { tokens, notRecorded } = calibrateRequest(
        recorded,
        Uint32Array.of(100, 50, 50),
        calibration,
        complete,
      );
      assert.deepEqual([...tokens], [recorded / 2, recorded / 4, recorded / 4]);
      assert.deepEqual(notRecorded, { value: 0, quality: 'calibrated' });
    }
  });

  it('estimates without recorded usage', () => {
    const { tokens, quality, total, notRecorded } = calibrateRequest(undefined, [10, 20], calibration, false);
    assert.deepEqual([...tokens], [15, 30]);
    assert.equal(quality, 'estimated');
    assert.deepEqual(total, { value: 45, quality: 'estimated', error: 0.1 });
    assert.deepEqual(notRecorded, { value: 0, quality: 'estimated' });
  });

  it('gives a request without visible blocks to what is not recorded', () => {
    const { tokens, notRecorded } = calibrateRequest(500, [0, 0], calibration, true);
    assert.deepEqual([...tokens], [0, 0]);
    assert.deepEqual(notRecorded, { value: 500, quality: 'calibrated', error: 0 });
  });

  it('adds up exactly, whatever the figures', () => {
    for (let seed = 1; seed < 200; seed++) {
      const estimates = Array.from({ length: 50 }, (_, index) => (seed * 7919 * (index + 1)) % 1013);
      const recorded = (seed * 104_729) % 60_000;
      const { tokens, notRecorded } = calibrateRequest(
        recorded,
        estimates,
        { scale: 0.7 + seed / 150, error: 0 },
        seed % 5 === 0,
      );
      assert.equal(tokens.reduce((sum, value) => sum + value, 0) + notRecorded.value, recorded);
      assert.ok(notRecorded.value >= 0);
    }
  });
});
