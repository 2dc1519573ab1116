import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NumberList } from '../../../src/core/base/numberList';

test('a list of numbers keeps all of them, negative ones too, while it grows', () => {
  const list = new NumberList();
  for (let number = 0; number < 5000; number += 1) {
    list.push(number, -number);
  }
  assert.equal(list.length, 10_000);
  assert.equal(list.at(0), 0);
  assert.equal(list.at(1024), 512);
  assert.equal(list.at(9_999), -4_999);
  assert.equal(list.at(10_000), 0);
});
