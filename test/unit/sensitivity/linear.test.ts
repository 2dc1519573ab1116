import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sensitiveIn } from '../../../src/core/sensitivity/credentials';
import { memberSecretsIn } from '../../../src/core/sensitivity/memberSecret';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';
import { hostileTexts } from '../../fixtures/hostileTexts';

/** UTF-16 units of the shorter text, and how many times as long the other one is. */
const length = 1 << 12;
const factor = 8;
/** For the longer text, linear work takes 8 times as long, quadratic work 64 times. */
const most = 24;
/** Shorter times say nothing, in microseconds. */
const shortest = 500;
const attempts = 4;

function scan(text: string): void {
  sensitiveIn(text, secretScanner);
  memberSecretsIn(text);
}

/** Processor time in microseconds. */
function timeOf(text: string): number {
  const start = process.cpuUsage();
  scan(text);
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/** Whether the time for a repeated text grows in proportion to its length. */
function isLinear(unit: string): boolean {
  const [short, long] = [length, factor * length].map(size => unit.repeat(Math.ceil(size / unit.length)));
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    // What else runs on the machine can only make a single run longer.
    const time = timeOf(long ?? '');
    if (time <= most * shortest || time <= most * timeOf(short ?? '')) {
      return true;
    }
  }
  return false;
}

it('takes time in proportion to the length of a text, whatever repeats in it', () => {
  scan('password');
  assert.deepEqual(
    hostileTexts().filter(unit => !isLinear(unit)),
    [],
  );
});
