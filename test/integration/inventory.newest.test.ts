import assert from 'node:assert/strict';
import { ui, windowMissing } from './driver';
import { test } from './index';
import { closeEverything } from './inspector';
import { controlsOf, isThere, settle, useRow } from './inventory/page';
import { places } from './inventory/places';
import { type Control, type Frame, isOf, type Place } from './inventory/rows';

const needsWindow = { skip: windowMissing, timeoutMilliseconds: 600_000 };

const rows = places.flatMap(place => place.rows);
/** Every control that was seen, by where it was seen first. */
const seen = new Map<string, Control & { readonly where: string }>();

async function lookAround(frame: Frame, where: string): Promise<void> {
  for (const control of await controlsOf(frame)) {
    const key = `${control.role} ${control.name}`;
    if (!seen.has(key)) {
      seen.set(key, { ...control, where });
    }
  }
}

/** Opens a place anew, at the size of a laptop. */
async function reach(place: Place): Promise<void> {
  await ui(({ page }) => page.setViewportSize({ width: 1440, height: 900 }));
  await place.open();
  await ui(place.reach);
  if (place.isBusy !== true) {
    await settle(place.frame, place.name);
  }
  await lookAround(place.frame, place.name);
}

for (const place of places) {
  test(
    `has a use for every control of: ${place.name}`,
    async () => {
      await reach(place);
      const failures: string[] = [];
      for (const row of place.rows) {
        try {
          if (!(await isThere(row, place))) {
            await reach(place);
          }
          await useRow(row, place);
        } catch (error) {
          failures.push(error instanceof Error ? error.message : String(error));
        }
        await lookAround(place.frame, `${place.name}, after ${row.role} ${String(row.name)}`);
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
