import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ui, windowMissing } from './driver';
import { test } from './index';
import { closeEverything, finalEditor, openAlone, workspaceFolder } from './inspector';
import { controlsOfPage, isThere, settle, useRow } from './inventory/page';
import { places } from './inventory/places';
import { type Control, isOf, type Place } from './inventory/rows';

const needsWindow = { skip: windowMissing, timeoutMilliseconds: 240_000 };

const rows = places.flatMap(place => place.rows);
/** Every control that was seen, by where it was seen first. */
const seen = new Map<string, Control & { readonly where: string }>();

async function lookAround(where: string): Promise<void> {
  for (const control of await controlsOfPage()) {
    const key = `${control.role} ${control.name}`;
    if (!seen.has(key)) {
      seen.set(key, { ...control, where });
    }
  }
}

/** Opens the example anew and brings it into the state of a place. */
async function reach(place: Place): Promise<void> {
  const uri = vscode.Uri.joinPath(workspaceFolder(), 'session.jsonl');
  await openAlone(uri);
  await finalEditor(uri);
  await ui(({ webview }) => webview.locator('#root[data-ready="true"]').waitFor({ state: 'attached' }));
  await ui(place.reach);
  await settle(place.name);
  await lookAround(place.name);
}

for (const place of places) {
  test(
    `has a use for every control of: ${place.name}`,
    async () => {
      await reach(place);
      const failures: string[] = [];
      for (const row of place.rows) {
        try {
          if (!(await isThere(row))) {
            await reach(place);
          }
          await useRow(row, place);
        } catch (error) {
          failures.push(error instanceof Error ? error.message : String(error));
        }
        await lookAround(`${place.name}, after ${row.role} ${String(row.name)}`);
      }
      await closeEverything();
      assert.deepEqual(failures, []);
    },
    needsWindow,
  );
}

test(
  'knows every control that was seen, and has seen every control that it knows',
  async () => {
    const controls = [...seen.values()];
    const unknown = controls.filter(control => !rows.some(row => isOf(row, control)));
    assert.deepEqual(
      unknown.map(({ role, name, where }) => `${role} "${name}" in ${where}`),
      [],
    );
    const unseen = rows.filter(row => !controls.some(control => isOf(row, control)));
    assert.deepEqual(
      unseen.map(({ role, name }) => `${role} ${String(name)}`),
      [],
    );
    await Promise.resolve();
  },
  needsWindow,
);
