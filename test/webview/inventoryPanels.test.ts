/// <reference types="node" />
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { keyRows } from '../../webview/state/keyTable';
import { keyPlaces } from './inventory/keyPlaces';
import { panelPlaces } from './inventory/panelPlaces';
import { useControlsOf } from './inventory/useAll';

useControlsOf([...panelPlaces, ...keyPlaces]);

it('has a use for every key of the page', () => {
  const used = keyPlaces
    .flatMap(({ rows }) => rows)
    .map(({ keyRow = '', use }) => (use.kind === 'press' ? `${keyRow} ${use.key}` : ''));
  const unused = Object.entries(keyRows).flatMap(([name, { keys }]) =>
    keys.map(key => `${name} ${key}`).filter(key => !used.includes(key)),
  );
  assert.deepEqual(unused, []);
});
