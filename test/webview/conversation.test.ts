/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { formatNumber } from '../../src/core/base/format';
import { ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { expectNoViolationsInThemes } from './axe';
import { type OpenDoor, openThroughDoor } from './door';
import { untilStill } from './still';

const secret = 'vK7mQ2xT9wLp4z';
const found =
  '# Found it\n\nThe hour is **twice** off, see `inZone()`:\n\n- one [link](javascript:alert(1))\n- <img src=x onerror=alert(1)> ![p](https://example.org/p.png)\n\n| a | b |\n| - | - |\n| 1 | 2 |\n';

/** A compaction, a question with calls of each kind, and a pause that is longer than the cache lives. */
const session = new ClaudeCodeSession()
  .prompt('Old question')
  .reply({ text: 'Old answer' })
  .prompt('Old thanks')
  .reply({ text: 'Old farewell' })
  .compact('So far: **all** is well.')
  .prompt('Check every crossing\nof the night.')
  .reply(
    { thinking: 'The test still has the old hour, so it must convert twice.' },
    { tool: 'Read', id: 'a', input: { file_path: 'timetable.json' } },
    { tool: 'Bash', id: 'b', input: { command: 'docker compose config' } },
  )
  .result(
    'a',
    JSON.stringify(Array.from({ length: 40 }, (_, line) => ({ line, zone: 'Europe/Oslo', leaves: '01:40' }))),
  )
  .result('b', `services:\nurl: postgres://app:${secret}@db\n<b>bold</b>`, {}, { is_error: true })
  .reply({
    tool: 'Edit',
    id: 'c',
    input: {
      file_path: '/work/queue.ts',
      old_string: 'const at = addMinutes(job.leaves, -60);\nkeep();',
      new_string: 'const leaves = inZone(job.leaves);\nconst at = addMinutes(leaves, -60);\nkeep();',
    },
  })
  .result('c', 'The file was changed.')
  .reply({ tool: 'Read', id: 'd', input: { file_path: '/work/src/zone.ts' } })
  .result(
    'd',
    Array.from({ length: 9 }, (_, line) => `    ${line + 1}→export const zone${line} = '${line}';`).join(
      '\n',
    ),
  )
  .pause(1200)
  .reply({ text: found })
  .prompt('Thanks.')
  .reply({ text: 'Last reply' });

interface Usage {
  readonly read: number;
  readonly written: number;
  readonly fresh: number;
}

/** The recorded usage of each request. */
const usages: readonly Usage[] = [
  ...new Map(
    session.lines.flatMap(line => {
      const [, id] = /"id":"(msg_\d+)"/.exec(line) ?? [];
      const count = (name: string): number => Number(new RegExp(`"${name}":(\\d+)`).exec(line)?.[1]);
      return id === undefined
        ? []
        : [
            [
              id,
              {
                read: count('cache_read_input_tokens'),
                written: count('cache_creation_input_tokens'),
                fresh: count('input_tokens'),
              },
            ] as const,
          ];
    }),
  ).values(),
];
const usageOf = (request: number): Usage => usages[request - 1] ?? assert.fail();

const gridOf = (page: Page): Locator => page.getByTestId('conversation');
const rowOf = (page: Page, text: string | RegExp): Locator =>
  gridOf(page).getByRole('row').filter({ hasText: text });

async function openConversation(
  options: { readonly width?: number; readonly height?: number } = {},
  text = session.toString(),
): Promise<OpenDoor> {
  const inspector = await openThroughDoor({ width: 750, height: 1400, ...options, text });
  const { page } = inspector;
  if ((options.width ?? 750) < 560) {
    await page.getByRole('button', { name: /^View and colours/ }).click();
    await page.getByRole('radio', { name: 'Conversation' }).check();
    await page.keyboard.press('Escape');
  } else {
    await page.getByRole('radio', { name: 'Conversation' }).check();
  }
  await gridOf(page).waitFor();
  // Rows move while they are measured.
  await untilStill(page);
  return inspector;
}

describe('conversation', () => {
  it('shows messages in their form, and folds results', async () => {
    const inspector = await openConversation();
    const { page } = inspector;
    await rowOf(page, 'Check every crossing').waitFor();
    await page.getByText('Compacted', { exact: true }).waitFor();
    // Markdown, without anything that comes from the data.
    const reply = rowOf(page, 'Found it').last();
    assert.equal(await reply.locator('strong').innerText(), 'twice');
    assert.equal(await reply.locator('code').innerText(), 'inZone()');
    assert.equal(await reply.locator('li').count(), 2);
    assert.equal(await reply.locator('td').count(), 2);
    assert.equal(await gridOf(page).locator('a, img, script').count(), 0);
    assert.match(await reply.innerText(), /<img src=x onerror=alert\(1\)>/);
    // An edit as a diff.
    const change = rowOf(page, 'Edit').first();
    assert.equal(await change.locator('.code-line--removed').count(), 1);
    assert.equal(await change.locator('.code-line--added').count(), 2);
    // A result is folded to one line.
    const call = rowOf(page, 'zone.ts').first();
    await call.getByText('9 lines').waitFor();
    assert.equal(await call.getAttribute('aria-expanded'), 'false');
    await call.getByRole('button', { name: 'Open Read zone.ts' }).click();
    await call.getByText('zone0').waitFor();
    // Its own line numbers are shown once, beside the text.
    assert.equal(await call.locator('.code-line').first().getAttribute('data-number'), '1');
    assert.ok(!(await call.innerText()).includes('→'));
    await call.getByRole('button', { name: /more lines/ }).click();
    await call.getByText('zone8').waitFor();
    await call.locator('.code-keyword').first().waitFor();
    await inspector.close();
  });

  it('lays out JSON, in two lines at first', async () => {
    const inspector = await openConversation();
    const { page } = inspector;
    const call = rowOf(page, 'timetable.json').first();
    await call.getByRole('button', { name: 'Open Read timetable.json' }).click();
    const lines = call.locator('.code-lines');
    await lines.waitFor();
    assert.ok(((await lines.boundingBox())?.height ?? 99) < 40);
    await call.getByRole('button', { name: /more/ }).click();
    await call.locator('.code-line').nth(20).waitFor();
    await inspector.close();
  });

  it('masks secrets in every row until they are revealed', async () => {
    const inspector = await openConversation();
    const { page } = inspector;
    const call = rowOf(page, 'docker compose config').first();
    await call.getByText('Password in a URL').first().waitFor();
    await call.getByRole('button', { name: 'Open Bash docker compose config' }).click();
    await call.locator('.masked').first().waitFor();
    assert.ok(!(await page.content()).includes(secret));
    await call.getByRole('button', { name: 'Reveal' }).click();
    await call.getByText(secret).waitFor();
    await call.getByRole('button', { name: 'Mask again' }).click();
    await call.locator('.masked').first().waitFor();
    await page.getByText(secret).waitFor({ state: 'detached' });
    await inspector.close();
  });

  it('shows what the request no longer has, where the cache ends, and what it lost', async () => {
    const inspector = await openConversation();
    const { page } = inspector;
    const old = rowOf(page, 'Old question');
    await old.getByText('compacted at #3').waitFor();
    const folded = gridOf(page).getByRole('button', { name: /2 messages, folded/ });
    await folded.click();
    await rowOf(page, 'Old answer').waitFor();
    // The pause is longer than the cache lives, so nothing of the request before could be read again.
    const before = usageOf(5);
    const lost = before.read + before.written;
    // Writing costs $3.75 per million tokens, reading $0.30.
    const price = (lost * (3.75 - 0.3)) / 1e6;
    const row = await rowOf(page, 'cache lost').last().innerText();
    assert.match(row, /idle too long/);
    assert.ok(
      row.includes(`${Math.round(lost / 1000)}k`) && row.includes(`$${price.toPrecision(2)}`),
      `${row}: ${lost}, ${price}`,
    );
    await rowOf(page, 'Request 7 ends here').waitFor();
    // At an earlier request the cache ends elsewhere, and later messages are not in it.
    await page.keyboard.press('[');
    await page.keyboard.press('[');
    const { read, written, fresh } = usageOf(5);
    await rowOf(
      page,
      `cached to here ${formatNumber(read)} · new ${formatNumber(written + fresh)}`,
    ).waitFor();
    await rowOf(page, 'Request 5 ends here').waitFor();
    await inspector.close();
  });

  it('is linked with the details and with the lanes, both ways', async () => {
    const inspector = await openConversation();
    const { page } = inspector;
    await rowOf(page, 'Check every crossing').click();
    await page.getByTestId('block-details').getByText('Check every crossing').first().waitFor();
    assert.equal(await rowOf(page, 'Check every crossing').getAttribute('aria-selected'), 'true');
    await page.getByRole('radio', { name: 'Lanes' }).check();
    await page.getByTestId('slot-layout').focus();
    await page.keyboard.press('End');
    const name = await page.getByTestId('block-details').getByRole('heading').first().innerText();
    await page.getByRole('radio', { name: 'Conversation' }).check();
    const chosen = gridOf(page).locator('[role=row][aria-selected=true]');
    await chosen.waitFor();
    assert.match(await chosen.innerText(), new RegExp(name.replace(/^→ \w+ /, '').slice(0, 8)));
    await inspector.close();
  });

  it('shows only prompts and replies where these are chosen, at the end of the request', async () => {
    const turns = 40;
    const long = new ClaudeCodeSession();
    for (let turn = 0; turn < turns; turn += 1) {
      const thoughts = Array.from({ length: 6 }, (_, thought) => ({ thinking: `thought ${thought}` }));
      long.prompt(`question ${turn}`).reply(...thoughts, { text: `answer ${turn}` });
    }
    const inspector = await openConversation({ height: 600 }, long.toString());
    const { page } = inspector;
    await page.getByRole('slider', { name: 'Request', exact: true }).press('Home');
    const end = gridOf(page).getByText('ends here');
    for (let request = 2; request <= turns / 2; request += 1) {
      await page.keyboard.press('ArrowRight');
      await end.filter({ hasText: `Request ${request} ` }).waitFor();
    }
    await page.getByRole('combobox', { name: 'Show' }).selectOption('talk');
    await untilStill(page);
    const [row, grid] = [await end.boundingBox(), await gridOf(page).boundingBox()];
    assert.ok(row !== null && grid !== null && row.y >= grid.y && row.y < grid.y + grid.height);
    assert.equal(
      await gridOf(page)
        .getByText(/^thought/i)
        .count(),
      0,
    );
    await inspector.close();
  });

  it('has the same forms in the details, and line numbers once', async () => {
    const inspector = await openConversation();
    const { page } = inspector;
    await rowOf(page, 'Found it').last().click();
    const details = page.getByTestId('block-details');
    await details.getByText('# Found it').first().waitFor();
    await details.getByRole('button', { name: 'Show formatted' }).click();
    await details.locator('strong', { hasText: 'twice' }).waitFor();
    assert.equal(await details.locator('a, img').count(), 0);
    await rowOf(page, 'Edit').first().getByText('Edit', { exact: true }).click();
    await details.locator('.code-line--removed').waitFor();
    await page.getByRole('button', { name: 'Show formatted' }).click();
    await details.getByText('old_string').first().waitFor();
    await rowOf(page, 'zone.ts').first().getByText('Read', { exact: true }).click();
    await details.getByRole('button', { name: 'Go to result' }).click();
    await details.getByText('1→export').waitFor();
    assert.equal(await details.locator('.text-row[data-number]').count(), 0);
    await inspector.close();
  });

  it('is walked through with the keyboard', async () => {
    const inspector = await openConversation();
    const { page } = inspector;
    await gridOf(page).focus();
    await page.keyboard.press('Home');
    const selected = (): Promise<string> => gridOf(page).locator('[aria-selected=true]').innerText();
    await gridOf(page).locator('[aria-selected=true]').waitFor();
    assert.match(await selected(), /^Not recorded/);
    await page.keyboard.press('ArrowDown');
    assert.match(await selected(), /Old question/);
    // The folded messages, the summary, the prompt and the thought.
    for (let step = 0; step < 4; step += 1) {
      await page.keyboard.press('ArrowDown');
    }
    assert.match(await selected(), /old hour/);
    assert.equal(await gridOf(page).locator('[aria-selected=true]').getAttribute('aria-expanded'), 'false');
    await page.keyboard.press('ArrowRight');
    await gridOf(page).locator('p', { hasText: 'so it must convert twice' }).waitFor();
    await page.keyboard.press('ArrowLeft');
    assert.equal(await gridOf(page).locator('[aria-selected=true]').getAttribute('aria-expanded'), 'false');
    await page.keyboard.press('Enter');
    await page.getByTestId('block-details').getByText('so it must convert twice').first().waitFor();
    await inspector.close();
  });

  it('marks what the search finds, also in folded rows', async () => {
    const inspector = await openConversation();
    const { page } = inspector;
    await page.keyboard.press('Control+f');
    await page.keyboard.type('zone');
    await rowOf(page, 'zone.ts').first().locator('mark', { hasText: 'zone' }).first().waitFor();
    await rowOf(page, 'Found it').last().locator('mark', { hasText: 'Zone' }).waitFor();
    await inspector.close();
  });

  it('has no violations in any theme', async () => {
    const inspector = await openConversation();
    const { page } = inspector;
    for (const name of ['Open Read zone.ts', 'Open Bash docker compose config']) {
      await gridOf(page).getByRole('button', { name }).click();
    }
    await gridOf(page)
      .getByRole('button', { name: /2 messages, folded/ })
      .click();
    await rowOf(page, 'docker').first().locator('.masked').first().waitFor();
    await rowOf(page, 'zone.ts').first().locator('.code-keyword').first().waitFor();
    await untilStill(page);
    await expectNoViolationsInThemes(page, 'conversation');
    await inspector.close();
  });

  it('fits into every width', async () => {
    const inspector = await openConversation({ width: 480, height: 780 });
    const { page } = inspector;
    for (const width of [480, 630, 750, 1600]) {
      await page.setViewportSize({ width, height: 780 });
      await rowOf(page, 'Found it').last().waitFor();
      await untilStill(page);
      const places = await gridOf(page).evaluate(grid => ({
        width: grid.clientWidth,
        wide: grid.scrollWidth,
        page: document.documentElement.scrollWidth,
        rows: [...grid.querySelectorAll('.conversation__rows > [role=row]')].map(row => {
          const { top, bottom } = row.getBoundingClientRect();
          const inner = [...row.querySelectorAll('.conversation__line > *')].map(part =>
            part.getBoundingClientRect(),
          );
          const overlap = inner.some((box, index) =>
            inner.some(
              (other, place) =>
                place > index && box.right > other.left + 1 && other.right > box.left + 1 && box.width > 0,
            ),
          );
          return { top, bottom, overlap };
        }),
      }));
      assert.equal(places.wide, places.width);
      assert.equal(places.page, width);
      assert.deepEqual(
        places.rows.filter(({ overlap }) => overlap),
        [],
      );
      const ordered = places.rows.toSorted((one, other) => one.top - other.top);
      ordered.forEach((row, index) => {
        const next = ordered[index + 1];
        assert.ok(next === undefined || next.top >= row.bottom - 1, 'rows do not overlap');
      });
    }
    await inspector.close();
  });
});
