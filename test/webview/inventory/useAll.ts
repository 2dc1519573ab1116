/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeep, someOf } from '../../fixtures/variants';
import { themeNames } from '../../../webview/door/themes';
import { expectNoViolations, expectNoViolationsInThemes, showTheme } from '../axe';
import type { OpenAddress } from '../door';
import { keyPlaces } from './keyPlaces';
import { controlsOf, isThere, settle, useRow } from './page';
import { places } from './places';
import { type Control, isOf, type PageSize, type Place } from './rows';

/** The page in a window of 1440 × 900 with the explorer and the chat open. */
const laptop: PageSize = { width: 750, height: 900 };

type Seen = Control & { readonly where: string };

/** Opens a place. */
async function reach(place: Place): Promise<OpenAddress> {
  const { size: shown = laptop, stays = false } = place;
  const opened = await place.open({ ...shown, stays, readsAtOnce: true });
  await place.reach(opened.page);
  if (place.isBusy !== true) {
    await settle(opened.page, place.name);
  }
  return opened;
}

const allRows = places.flatMap(place => place.rows);

/**
 * True for a control inside a message of the conversation. Which of them are there depends on the messages that are open,
 * so only two kinds have rows; test/webview/conversation.test.ts uses most of them.
 */
const isInMessage = ({ role, name, where }: Seen): boolean =>
  /conversation/i.test(where) &&
  role === 'button' &&
  /^(?:Open|Close) |, folded |^… |^(?:cache lost|Compare|Reveal|Mask again)\b|…$/.test(name);

/**
 * The places that are checked for accessibility: not those where work is in progress, which leaves no time for it, and not
 * those of keys, which are used in states that other places show.
 */
const checked = someOf(
  places.filter(place => place.isBusy !== true && !keyPlaces.includes(place)),
  places.length / 3,
);

/** Checks that a place is accessible: in a deep run in every theme, otherwise in one of them in turn. */
async function checkAccess(place: Place, { page }: OpenAddress): Promise<void> {
  const index = checked.indexOf(place);
  const theme = themeNames[index % themeNames.length] ?? 'dark';
  if (index < 0) {
    return;
  }
  if (isDeep) {
    await expectNoViolationsInThemes(page, place.name);
  } else {
    await showTheme(page, theme);
    await expectNoViolations(page, `${place.name}, ${theme}`);
  }
}

/** Registers the tests of some places: each control in them is used, none is unknown, and the page is accessible. */
export function useControlsOf(chosen: readonly Place[]): void {
  /** Every control seen, by the place where it was first seen. */
  const seen = new Map<string, Seen>();
  const lookAround = async ({ page }: OpenAddress, where: string): Promise<void> => {
    for (const control of await controlsOf(page)) {
      const key = `${control.role} ${control.name}`;
      if (!seen.has(key)) {
        seen.set(key, { ...control, where });
      }
    }
  };

  describe('has a use for every control of', () => {
    for (const place of chosen) {
      it(place.name, async () => {
        let opened = await reach(place);
        const failures: string[] = [];
        const attempt = async (work: () => Promise<void>): Promise<void> => {
          try {
            await work();
          } catch (error) {
            failures.push(error instanceof Error ? error.message : String(error));
          }
        };
        await lookAround(opened, place.name);
        await attempt(() => checkAccess(place, opened));
        for (const row of place.rows) {
          await attempt(async () => {
            if (!(await isThere(row, opened.page))) {
              await place.again?.(opened.page);
            }
            if (!(await isThere(row, opened.page))) {
              opened = await reach(place);
              await lookAround(opened, place.name);
            }
            await useRow(row, opened, place);
          });
          await lookAround(opened, `${place.name}, after ${row.role} ${String(row.name)}`);
        }
        await attempt(opened.close);
        assert.deepEqual(failures, []);
      });
    }
  });

  it('knows every control that was seen', () => {
    const unknown = [...seen.values()].filter(
      control => !isInMessage(control) && !allRows.some(row => isOf(row, control)),
    );
    assert.deepEqual(
      unknown.map(({ role, name, where }) => `${role} "${name}" in ${where}`),
      [],
    );
  });
}
