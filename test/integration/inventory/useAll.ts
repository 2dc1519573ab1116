import assert from 'node:assert/strict';
import { keyRows } from '../../../webview/state/keyTable';
import { ui, windowMissing } from '../driver';
import { test } from '../index';
import { closeEverything } from '../inspector';
import { violationsIn } from './axe';
import { settle } from './busy';
import { keyPlaces } from './keyPlaces';
import { unexpectedEntries } from './logs';
import { controlsOf, isThere, setPageSize, useRow } from './page';
import { places } from './places';
import { type Control, type Frame, isOf, type PageSize, type Place } from './rows';

const needsWindow = { skip: windowMissing };

/** The size of the page in a window of 1440 × 900 with the explorer and the chat open. */
const laptop: PageSize = { width: 750, height: 900 };

/** Every control seen, by the place where it was first seen. */
const seen = new Map<string, Control & { readonly where: string }>();

async function lookAround(frame: Frame, where: string): Promise<void> {
  for (const control of await controlsOf(frame)) {
    const key = `${control.role} ${control.name}`;
    if (!seen.has(key)) {
      seen.set(key, { ...control, where });
    }
  }
}

/** Opens a place again. */
async function reach(place: Place): Promise<void> {
  await setPageSize(place.size ?? laptop);
  await place.open();
  await ui(place.reach);
  if (place.isBusy !== true) {
    await settle(place.name);
  }
  await lookAround(place.frame, place.name);
}

const allRows = places.flatMap(place => place.rows);

/**
 * True for a control inside a message of the conversation. Which of them are there depends on the messages that are open,
 * so only two kinds have rows; test/webview/conversation.test.ts uses most of them.
 */
const isInMessage = ({ role, name, where }: Control & { readonly where: string }): boolean =>
  /conversation/i.test(where) &&
  role === 'button' &&
  /^(?:Open|Close) |, folded |^… |^(?:cache lost|Compare|Reveal|Mask again)\b|…$/.test(name);

/** Registers the tests of some places: each control in them is used, none is unknown, and the page is accessible. */
export function useControlsOf(chosen: readonly Place[]): void {
  const rows = chosen.flatMap(place => place.rows);
  for (const place of chosen) {
    test(
      `has a use for every control of: ${place.name}`,
      async () => {
        await reach(place);
        // Keys are used in states that other places show.
        const failures: string[] = [
          ...(keyPlaces.includes(place) ? [] : await violationsIn(place, places.indexOf(place))),
        ];
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
      const unknown = controls.filter(
        control => !isInMessage(control) && !allRows.some(row => isOf(row, control)),
      );
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

  test(
    'has written nothing to the logs and the console but what VS Code says of itself',
    async () => assert.deepEqual(await unexpectedEntries(), []),
    needsWindow,
  );
}

/** Registers the test that each key in the page's table is used in some place. */
export function useKeys(): void {
  test('has a use for every key of the page', async () => {
    const used = allRows.map(({ keyRow, use }) => (use.kind === 'press' ? `${keyRow} ${use.key}` : ''));
    const unused = Object.entries(keyRows).flatMap(([name, { keys }]) =>
      keys.map(key => `${name} ${key}`).filter(key => !used.includes(key)),
    );
    assert.deepEqual(unused, []);
    await Promise.resolve();
  });
}
