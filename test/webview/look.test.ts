/// <reference types="node" />
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { lookedKey } from '../../src/app/transcript/transcriptEditor';
import { sessionAddress } from '../../src/protocol/doorAddresses';
import { ClaudeCodeSession, sourceText } from '../fixtures/claudeCodeSession';
import { expectNoViolationsInThemes } from './axe';
import { doorOf, exampleFile, isFinal, type OpenDoor, openThroughDoor, writeTranscript } from './door';
import { untilStill } from './still';

/** A session with findings of most kinds. Its file names are hostile. */
function transcript(): string {
  const session = new ClaudeCodeSession();
  const home = '/home/ada/ferries';
  const call = (tool: string, input: Readonly<Record<string, unknown>>, result: string): void => {
    const id = `toolu_${session.lines.length}`;
    session.reply({ tool, id, input }).result(id, result);
  };
  const read = (name: string, content: string): void =>
    call('Read', { file_path: `${home}/${name}` }, content);
  const edit = (before: string, after: string, result: string): void =>
    call('Edit', { file_path: `${home}/piers.ts`, old_string: before, new_string: after }, result);
  const passed = Array.from({ length: 1_500 }, (_, test) => ` ✓ test/ferry${test}.test.ts ${test}ms`);
  const [north, south] = ["  moor('north', 1);", "  moor('south', 2);"];
  const piers = [north, south, ...sourceText(1, 4_000).split('\n')]
    .map((line, index) => `${index + 1}→${line}`)
    .join('\n');
  const hostile = '<img src=x onerror="document.title=1">\u202e.ts';

  session.prompt('Write to ada@quillworks.io when the ferries run.');
  const password = ['hVq7Lr', '2mXw9s'].join('');
  call('Bash', { command: `psql postgres://ada:${password}@db.quillworks.io/ferries` }, 'connected');
  call('Bash', { command: 'npx vitest run' }, ['RUN  v4.0.1', ...passed, 'Test Files  1500'].join('\n'));
  read(hostile, sourceText(5, 40_000));
  read(hostile, sourceText(5, 40_000));
  read('piers.ts', piers);
  // The second edit replaces a line that the first has removed.
  edit(`${north}\n${south}`, '  moorAll();', `The file ${home}/piers.ts has been updated successfully.`);
  edit(south, '', '<tool_use_error>String to replace not found in file.</tool_use_error>');
  read('tides.ts', sourceText(7, 180_000));
  session.reply({ text: 'All moored.' }).prompt('Go on.').reply({ text: 'I go on.' });
  session.pause(400).prompt('And now?').reply({ text: 'Now this.' });
  session.prompt('When?').reply({ text: 'Tomorrow.' });
  session.compact('This session is being continued from a previous conversation. They moored ferries.');
  read('piers.ts', piers);
  session.reply({ text: 'Read.' }).pause(400).prompt('Thanks.').reply({ text: 'Gladly.' });
  return session.toString();
}
const text = transcript();

/**
 * The cost of writing again what the tenth request left in the cache, and not reading it: 3.75 US dollars a
 * million tokens, and 0.30.
 */
const dearest = (): string => {
  const written = [
    ...text.matchAll(/"cache_read_input_tokens":(\d+),"cache_creation_input_tokens":(\d+)/g),
  ].map(([, before, added]) => Number(before) + Number(added));
  return `$${(((written[9] ?? 0) * (3.75 - 0.3)) / 1_000_000).toFixed(2)}`;
};

/** Waits until everything is found: two findings of sensitive data, and eight others. */
const allFound = (page: Page): Promise<void> => page.getByTestId('look').getByText('All 10').waitFor();

async function opened(size: { readonly width: number; readonly height: number }): Promise<OpenDoor> {
  const inspector = await openThroughDoor({ text, ...size });
  await allFound(inspector.page);
  return inspector;
}

const stripOf = (page: Page): Locator => page.getByTestId('look');
const listOf = (page: Page): Locator => page.getByRole('listbox', { name: 'Worth a look' });
const activeOf = (page: Page): Locator => listOf(page).getByRole('option', { selected: true });
const requestOf = (page: Page): Promise<string | null> =>
  page.getByRole('slider', { name: 'Request', exact: true }).getAttribute('aria-valuenow');

async function isInView(page: Page, element: Locator): Promise<boolean> {
  const box = await element.boundingBox();
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  return (
    box !== null && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height
  );
}

describe('worth a look', () => {
  it('is one line under the timeline: secrets first, then what costs most, whole, as much as has room', async () => {
    const inspector = await opened({ width: 1600, height: 900 });
    const { page } = inspector;
    const strip = (await stripOf(page).innerText()).replace(/\s+/gu, ' ');
    const start = `Worth a look 1 secret sent Cache lost at request 11 ${dearest()} `;
    assert.equal(strip.slice(0, start.length), start);
    assert.match(strip, / All 10 W$/u);
    assert.equal(await stripOf(page).getAttribute('aria-expanded'), 'false');
    assert.equal(await listOf(page).count(), 0);
    const named: number[] = [];
    for (const width of [1600, 1230, 1000, 900, 750, 630, 560]) {
      await page.setViewportSize({ width, height: 900 });
      await untilStill(page);
      const shown = await stripOf(page)
        .locator('.look__named')
        .evaluate(element => {
          const outer = element.getBoundingClientRect();
          return [...element.querySelectorAll('.look__item')]
            .filter(item => item.getBoundingClientRect().top < outer.bottom)
            .map(item => ({
              isWhole: item.getBoundingClientRect().right <= outer.right + 1,
              isCut: [...item.children].some(each => each.scrollWidth > each.clientWidth + 1),
            }));
        });
      assert.ok(
        shown.every(({ isWhole, isCut }) => isWhole && !isCut),
        `${width}: ${JSON.stringify(shown)}`,
      );
      named.push(shown.length);
    }
    assert.ok(
      named.every((count, place) => count > 0 && count <= (named[place - 1] ?? count)),
      named.join(),
    );
    assert.ok((named[0] ?? 0) > 2, named.join());
    await inspector.close();
  });

  it('opens by W, steps by J and K, goes there by Enter, and lights the place meanwhile', async () => {
    const inspector = await opened({ width: 1230, height: 900 });
    const { page } = inspector;
    await page.keyboard.press('w');
    await listOf(page).waitFor();
    assert.match(await activeOf(page).innerText(), /Password in a URL/u);
    const frame = page.locator('.timeline__canvas--frame');
    const before = await frame.screenshot();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    assert.match(await activeOf(page).innerText(), /Cache lost at request 11\s*\$/u);
    await untilStill(page);
    assert.notDeepEqual(await frame.screenshot(), before, 'a dashed frame shows the place');
    await page.keyboard.press('k');
    assert.match(await activeOf(page).innerText(), /Email address/u);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await listOf(page).waitFor({ state: 'detached' });
    assert.equal(await requestOf(page), '11');
    await page.getByRole('tabpanel', { name: 'Cache' }).waitFor();
    // J goes on from there.
    await page.keyboard.press('j');
    assert.match(await activeOf(page).innerText(), /8 old results/u);
    await page.keyboard.press('Enter');
    await page.getByRole('tabpanel', { name: 'Prune' }).waitFor();
    await page.keyboard.press('j');
    assert.match(await activeOf(page).innerText(), /vitest prints every test/u);
    await page.keyboard.press('Enter');
    await page.getByRole('tabpanel', { name: 'Waste' }).waitFor();
    // The result of the second reply is in the third request.
    assert.equal(await requestOf(page), '3');
    await inspector.close();
  });

  it('lights the blocks of a finding in the drawing, closes by Escape and gives the focus back', async () => {
    const inspector = await opened({ width: 1230, height: 900 });
    const { page } = inspector;
    const drawn = (): Promise<string> =>
      page
        .getByTestId('slot-layout')
        .locator('canvas')
        .first()
        .evaluate(canvas => (canvas instanceof HTMLCanvasElement ? canvas.toDataURL() : ''));
    const slider = page.getByRole('slider', { name: 'Request', exact: true });
    await slider.focus();
    await page.keyboard.press('w');
    await page.locator('[role=listbox][aria-label="Worth a look"]:focus').waitFor();
    await page.getByText(/^\d+ more findings?$/u).click();
    await untilStill(page);
    const before = await drawn();
    // Only what was fetched again is still in the newest request.
    await listOf(page)
      .getByRole('option', { name: /^Fetched again/u })
      .hover();
    await untilStill(page);
    assert.notEqual(await drawn(), before, 'the other blocks are dimmed');
    await page.keyboard.press('Escape');
    await listOf(page).waitFor({ state: 'detached' });
    await page.locator('#timeline-chart:focus').waitFor();
    await untilStill(page);
    assert.equal(await drawn(), before);
    await stripOf(page).click();
    await listOf(page).waitFor();
    await page.getByTestId('total').click();
    assert.equal(await listOf(page).count(), 1, 'the timeline stays usable');
    await inspector.close();
  });

  it('hides a kind: waste everywhere, the rest in this file, secrets never; and shows names as text', async () => {
    const inspector = await opened({ width: 1600, height: 956 });
    const { page } = inspector;
    const { settings } = (await doorOf()).home;
    await page.keyboard.press('w');
    const hostile = listOf(page).getByRole('option', { name: /onerror/u });
    assert.match(await hostile.innerText(), /<img src=x onerror="document\.title=1">\[U\+202E\]/u);
    assert.equal(await page.locator('.look-list img').count(), 0);
    await page.keyboard.press('h');
    assert.equal(await page.getByTestId('look-secret').count(), 1);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('h');
    await page.getByTestId('look-loss').first().waitFor({ state: 'detached' });
    await page.getByText('1 kind hidden').waitFor();
    const noisy = listOf(page).getByRole('option', { name: /vitest/u });
    await noisy.hover();
    await page.keyboard.press('h');
    await page.getByText('2 kinds hidden').waitFor();
    await noisy.waitFor({ state: 'detached' });
    assert.deepEqual(JSON.parse(readFileSync(settings, 'utf8')), {
      'contextInspector.hiddenWaste': ['noisyOutput'],
    });
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByTestId('look-loss').first().waitFor();
    await noisy.waitFor();
    assert.deepEqual(JSON.parse(readFileSync(settings, 'utf8')), {});
    await inspector.close();
  });

  it('is open once, the first time a session is worth it, until the user has chosen something', async () => {
    // Another page before it, because the memory of the user is written before each opening.
    const cheap = new ClaudeCodeSession().prompt('Go.').reply({ text: 'Gone.' }).toString();
    const inspector = await openThroughDoor({ text: cheap, width: 630, height: 596 });
    const { page } = inspector;
    const memory = join(dirname((await doorOf()).home.settings), 'memory.json');
    writeFileSync(memory, '{}');
    const file = await writeTranscript('session.jsonl', text);
    await page.goto(new URL(sessionAddress(file), page.url()).href);
    await isFinal(page);
    await listOf(page).waitFor();
    assert.equal(await page.locator(':focus').count(), 0, 'it takes no focus');
    await page.keyboard.press('Escape');
    assert.equal(await listOf(page).count(), 0);
    await page.reload();
    await isFinal(page);
    await allFound(page);
    await untilStill(page);
    assert.equal(await listOf(page).count(), 0);
    assert.deepEqual(JSON.parse(readFileSync(memory, 'utf8')), { [lookedKey]: true });
    await inspector.close();
  });

  it('has its findings, more and its keys in view at every size, without violations in any theme', async () => {
    const inspector = await opened({ width: 630, height: 520 });
    const { page } = inspector;
    for (const [width, height] of [
      [630, 520],
      [630, 596],
      [750, 776],
      [1230, 956],
      [1600, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      await untilStill(page);
      await page.keyboard.press('w');
      await listOf(page).waitFor();
      const options = listOf(page).getByRole('option');
      const shown = (await options.count()) - 2;
      assert.ok(shown >= 3 && shown <= 6, `${shown} findings with a price`);
      assert.ok(await isInView(page, stripOf(page)), 'the strip');
      assert.ok(await isInView(page, page.getByText(/^\d+ more findings?$/u)), 'the way to all');
      await page.getByText(/^\d+ more findings?$/u).click();
      assert.equal(await options.count(), 10);
      const scrolls = await page.evaluate(() => {
        const body = document.querySelector('.session');
        return (body?.scrollWidth ?? 0) > (body?.clientWidth ?? 0);
      });
      assert.ok(!scrolls, 'the page does not scroll');
      await page.keyboard.press('Escape');
      await listOf(page).waitFor({ state: 'detached' });
    }
    await page.setViewportSize({ width: 750, height: 776 });
    await expectNoViolationsInThemes(page, 'strip');
    await page.keyboard.press('w');
    await listOf(page).waitFor();
    await page.keyboard.press('j');
    await expectNoViolationsInThemes(page, 'list');
    await inspector.close();
  });

  it('says how many findings are too cheap for it', async () => {
    const { page, close } = await openThroughDoor({ file: exampleFile });
    await page.getByTestId('look').click();
    // The session costs $2.94, its compaction $0.0029.
    await page.getByText('1 finding costs less than 0.5 % of the session').waitFor();
    assert.equal(await listOf(page).getByText('Compacted at request').count(), 0);
    await close();
  });
});
