/// <reference types="node" />
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { addToolTurns, ClaudeCodeSession, sourceText } from '../fixtures/claudeCodeSession';
import { jsonLines } from '../fixtures/jsonLines';
import { tokenOf } from '../fixtures/planted/exposurePlants';
import { PlantedSession } from '../fixtures/planted/plantedSession';
import { plantedCapture, plantedClaudeCode } from '../fixtures/planted/plantedWriters';
import { wastePlants } from '../fixtures/planted/wastePlants';
import { zstdFrame } from '../fixtures/zstdFrame';
import type {} from '../../webview/door/doorApi';
import { isFinal, openThroughDoor, openTranscript } from './door';

const bookshop = (): ClaudeCodeSession =>
  new ClaudeCodeSession()
    .prompt('Sort them')
    .reply({ text: 'Sorted.' })
    .prompt('Thanks')
    .reply({ text: 'Fine.' });

/** A run of opencode with times later than any date. */
function late(): string {
  const time = 1e20;
  const parts = {
    step_start: {},
    text: { text: 'Sorted.', time: { start: time, end: time } },
    step_finish: {
      reason: 'stop',
      tokens: { input: 80, output: 20, reasoning: 0, cache: { read: 0, write: 0 } },
    },
  };
  return jsonLines(
    Object.entries(parts).map(([type, part], index) => ({
      type,
      timestamp: time,
      sessionID: 'ses_1',
      part: {
        id: `prt_${index}`,
        messageID: 'msg_1',
        sessionID: 'ses_1',
        type: type.replace('_', '-'),
        ...part,
      },
    })),
  );
}

/** The last bytes of a line were lost inside a character, and the next line follows directly. */
function glued(): Uint8Array {
  const [first = '', second = '', ...others] = bookshop().reply({ text: 'Größe' }).lines;
  return Buffer.concat([
    Buffer.from(`${first}\n${second}\n{"type":"user","message":{"content":"Gr`),
    Buffer.from([0xc3]),
    Buffer.from(`${others.join('\n')}\n`),
  ]);
}

const damaged: readonly (readonly [what: string, name: string, bytes: () => string | Uint8Array])[] = [
  ['times beyond all dates', 'late.jsonl', late],
  ['UTF-16', 'sixteen.jsonl', () => Buffer.from(`\ufeff${bookshop().toString()}`, 'utf16le')],
  ['a line that ends inside a character', 'glued.jsonl', glued],
];

describe('a file', () => {
  it('that is empty is refused in one sentence, and shown once it is a transcript', async () => {
    const inspector = await openTranscript({ text: '' });
    const { page } = inspector;
    await page.getByText('This file is empty.').waitFor();
    writeFileSync(inspector.file, bookshop().toString());
    await isFinal(page);
    await page.getByText('Request 2 of 2').waitFor();
    await inspector.close();
  });

  it('of something else is refused in sentences, and offered as text', async () => {
    const inspector = await openTranscript({
      name: 'package.json',
      text: JSON.stringify({ name: 'bookshop', scripts: { test: 'true' } }),
    });
    const { page } = inspector;
    const asText = page.getByRole('button', { name: 'Open as text' });
    await asText.waitFor();
    const said = await page.locator('.message-page__text').innerText();
    assert.match(said, /^[A-Z][^.]*\.(?: [A-Z][^.]*\.)*$/);
    await asText.click();
    assert.deepEqual((await inspector.deed('openSource')).details[0], inspector.file);
    await inspector.close();
  });

  it('is followed while it grows', async () => {
    const growing = bookshop();
    const inspector = await openThroughDoor({ text: growing.toString() });
    await inspector.page.getByText('Request 2 of 2').waitFor();
    writeFileSync(
      inspector.file,
      growing.prompt('And the shipping?').reply({ text: 'It is left out.' }).toString(),
    );
    await inspector.page.getByText('Request 3 of 3').waitFor();
    await inspector.close();
  });

  it('that is damaged is shown as far as it can be read, and the rest is named', async () => {
    const [first = '', second = '', third = ''] = bookshop().lines;
    const text = `${first}\nno JSON at all\n${second}\n${third.slice(0, third.length / 2)}`;
    const inspector = await openThroughDoor({ text });
    const { page } = inspector;
    await page.getByRole('button', { name: /problems/u }).click();
    await page.getByText('Incomplete last line').waitFor();
    const rows = await page.getByRole('row').filter({ hasText: /line/i }).allInnerTexts();
    assert.match(rows.join(), /\b2\b.*\b4\b/s);
    await inspector.close();
  });

  it('with counts that no computer can hold is drawn without one', async () => {
    const text = bookshop()
      .toString()
      .replaceAll('"input_tokens":3', `"input_tokens":1${'0'.repeat(300)}`);
    const inspector = await openThroughDoor({ text });
    assert.doesNotMatch(await inspector.page.locator('body').innerText(), /NaN|∞|Infinity|Invalid/);
    await inspector.close();
  });

  for (const [what, name, bytes] of damaged) {
    it(`with ${what} is drawn and reported`, async () => {
      const inspector = await openThroughDoor({ text: bytes(), name });
      const { page } = inspector;
      assert.doesNotMatch(await page.locator('body').innerText(), /NaN|∞|Infinity|Invalid/);
      await page.evaluate(() => window.door?.run({ kind: 'export', form: 'html' }));
      await page.getByRole('option', { name: 'Figures only' }).click();
      const [path] = (await inspector.deed('saved')).details;
      const report = readFileSync(String(path), 'utf8');
      assert.match(report, /<svg/);
      assert.doesNotMatch(report, /NaN|∞|Infinity|width="-/);
      await inspector.close();
    });
  }

  it('that is packed is refused if it is larger than the setting allows, and shown if it is not', async () => {
    const [head = '', tail = ''] = bookshop().prompt('|').reply({ text: 'Read.' }).toString().split('|');
    // 1.5 MB of spaces between two halves of a prompt.
    const many = Array.from({ length: 15 }, () => ({ byte: 0x20, times: 100_000 }));
    const text = zstdFrame([Buffer.from(head), ...many, Buffer.from(tail)]);
    const name = 'packed.jsonl.zst';
    const refused = await openTranscript({
      text,
      name,
      settings: { 'contextInspector.unpacking.megabytes': 1 },
    });
    await refused.page.getByText(/not read: it unpacks to more than .* 1 MB/).waitFor();
    await refused.close();
    const allowed = await openThroughDoor({ text, name });
    await allowed.page.getByText('Request 3 of 3').waitFor();
    await allowed.close();
  });

  it('of a newer agent says which kinds of records are not shown', async () => {
    const item = (type: string, payload: object): object => ({
      timestamp: '2026-03-01T10:00:00Z',
      type,
      payload,
    });
    const said = (role: string, text: string): object =>
      item('response_item', {
        type: 'message',
        role,
        content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
      });
    const inspector = await openThroughDoor({
      name: 'rollout-later.jsonl',
      text: jsonLines([
        item('session_meta', { id: 's1', cwd: '/shop', cli_version: '0.180.0' }),
        said('user', 'Where is the bug?'),
        item('memo', { text: 'What a later version says.' }),
        said('assistant', 'In the sum.'),
      ]),
    });
    assert.match(
      await inspector.page.getByTestId('drift').innerText(),
      /Written by Codex 0\.180\.0; tested up to [\d.]+\. 1 unknown kind of records, not shown: memo \(1\)/,
    );
    await inspector.close();
  });

  it('of which nothing is shown says why, and is read in the format that the user chooses', async () => {
    // Its first line looks like a session of Droid, and the rest are chat messages.
    const inspector = await openTranscript({
      name: 'mixed.jsonl',
      text: jsonLines([
        { type: 'session_start', id: 's1', cwd: '/shop' },
        { role: 'user', content: 'Where is the bug?' },
        { role: 'assistant', content: 'In the sum.' },
      ]),
    });
    const { page } = inspector;
    await page.getByRole('heading', { name: 'No requests in this transcript' }).waitFor();
    assert.match(
      await page.locator('.message-page__text').innerText(),
      /read as Factory Droid.*3 records were left out: .*session_start record \(1\)/,
    );
    await page.getByRole('button', { name: 'Open as…' }).click();
    // The format that the file resembles comes first.
    const first = page.getByRole('dialog').getByRole('option').first();
    assert.match(await first.innerText(), /^OpenAI chat messages, one per line/);
    await page.keyboard.press('Enter');
    await page.getByText('Request 1 of 1').waitFor();
    await inspector.close();
  });
});

describe('what the agent did', () => {
  it('says that it compacted after its newest request', async () => {
    const text = bookshop().compact('They sorted shelves.').toString();
    const inspector = await openThroughDoor({ text });
    assert.match(
      await inspector.page.getByTestId('after').innerText(),
      /^Compacted after the newest request: about [\d,]+ tokens left\.$/,
    );
    await inspector.close();
  });

  it('says what a loss cost also beside an output that is recorded too low and a choice of conversations', async () => {
    const long = 'They stand in the wrong order. '.repeat(100);
    const main = bookshop().pause(4000).prompt('Why?').reply({ text: long });
    // This version recorded the tokens of a reply that had only begun.
    const began = main.lines.splice(-1).map(line => line.replace(/"output_tokens":\d+/, '"output_tokens":8'));
    const helper = new ClaudeCodeSession()
      .prompt('Find the shelves')
      .reply({ text: 'Here.' })
      .toString()
      .replaceAll('"isSidechain":false', '"isSidechain":true')
      .replaceAll('00000000-0000', '11111111-0000')
      .replaceAll(/(?<="(?:msg|req)_)/g, 'helper_');
    const inspector = await openThroughDoor({
      text: `${main.toString()}${helper}${began.join('')}\n`.replaceAll('2.1.62', '2.1.29'),
      width: 960,
      height: 720,
    });
    const caption = inspector.page.locator('.timeline__caption');
    await caption.getByTestId('doubtful-output').waitFor();
    await caption.getByRole('combobox').waitFor();
    const [price, chip] = await Promise.all(
      ['.timeline__event-figure', '.timeline__chip'].map(part => caption.locator(part).boundingBox()),
    );
    assert.ok(price && chip && price.x + price.width <= chip.x + chip.width, JSON.stringify({ price, chip }));
    await inspector.close();
  });

  it('says where tokens left without a record, what probably left, and whose the unrecorded part is', async () => {
    const session = addToolTurns(new ClaudeCodeSession(), 'Find the cause.', 10, 20_000)
      .dropUnrecorded(80_000)
      .prompt('Go on.')
      .reply({ text: 'It is fixed.' });
    const inspector = await openThroughDoor({ text: session.toString() });
    const { page } = inspector;
    await page.getByRole('slider', { name: 'Request' }).press('End');
    assert.match(
      await page.getByTestId('jump-note').innerText(),
      /^About [\d,]+ tokens disappeared from the context here, probably old tool results/,
    );
    await page.locator('.window__part--unknown').click();
    const parts = page.getByTestId('not-recorded-part');
    await parts.first().waitFor();
    const [own = '', yours = ''] = await parts.allInnerTexts();
    assert.match(
      own,
      /prompt and tools of the agent: about [\d,]+ tokens \(measured with version 2\.1\.33\d\)/,
    );
    assert.match(yours, /your MCP servers, memory and instructions: about [\d,]+ tokens/);
    const cleared = page.getByRole('region', { name: 'probably pruned by the agent' });
    assert.match(await cleared.innerText(), /Read/);
    await cleared.locator('.block-list__entry').first().click();
    await page
      .locator('.block-facts')
      .getByText(/since request \d+: probably pruned by the agent/)
      .waitFor();
    await inspector.close();
  });

  it('says at an edit that what it replaced was stale, and lists what a compaction made it fetch', async () => {
    const shelves = '/home/ada/bookshop/shelves.ts';
    const poets = ["  place('poets', 'left');", "  place('novels', 'right');"];
    const text = [...poets, ...sourceText(1, 4000).split('\n')]
      .map((line, index) => `${index + 1}→${line}`)
      .join('\n');
    const read = (id: string) => ({ tool: 'Read', id, input: { file_path: shelves } });
    const edit = (id: string, before: string, after: string) => ({
      tool: 'Edit',
      id,
      input: { file_path: shelves, old_string: before, new_string: after },
    });
    const session = new ClaudeCodeSession()
      .prompt('Sort the shelves.')
      .reply(read('toolu_1'))
      .result('toolu_1', text)
      .reply(edit('toolu_2', poets.join('\n'), "  placeAll('left');"))
      .result('toolu_2', `The file ${shelves} has been updated successfully.`)
      .reply(edit('toolu_3', poets[1] ?? '', ''))
      .result('toolu_3', '<tool_use_error>String to replace not found in file.</tool_use_error>')
      .reply({ text: 'The line is gone already.' })
      .prompt('Go on.')
      .reply({ text: 'I go on.' })
      .compact('This session is being continued from a previous conversation. They sorted shelves.')
      .reply(read('toolu_4'))
      .result('toolu_4', text)
      .reply({ text: 'They are sorted.' })
      .prompt('Thanks.')
      .reply({ text: 'Gladly.' });
    const inspector = await openThroughDoor({ text: session.toString() });
    const { page } = inspector;
    await page.getByRole('slider', { name: 'Request' }).press('End');
    await page.getByRole('tab', { name: 'Waste' }).click();
    await page.locator('summary', { hasText: 'Edits and what the agent saw' }).click();
    const list = page.getByTestId('sight-list');
    await list.waitFor();
    assert.match(await list.innerText(), /Stale\s+1\s+1/);
    assert.match(await list.innerText(), /All edits · 2\s+\d+\s+shelves\.ts · Stale/i);
    await list.locator('.block-list__entry').first().press('Enter');
    const line = page.getByTestId('sight');
    assert.match(
      await line.filter({ hasText: 'Stale' }).innerText(),
      /^Stale: lines changed by the agent’s own edit, line 2 · failed: lines not found/,
    );
    await line.getByRole('button', { name: 'Go to what the agent saw' }).click();
    const reading = page.locator('.panel-name', { hasText: 'Read shelves.ts' });
    await reading.waitFor();
    await page.locator('.block-details', { hasText: "place('novels', 'right')" }).waitFor();
    await page.getByRole('slider', { name: 'Request' }).press('End');
    await page.getByRole('radio', { name: 'Compaction' }).check();
    const again = page.getByTestId('fetched-again');
    assert.match(await again.innerText(), /^Fetched again afterwards: 1 file, [\d,]+ tokens, \$/i);
    await again.locator('.block-list__entry').first().click();
    await reading.waitFor();
    await inspector.close();
  });

  it('lists each secret with where it was sent, and goes from there to its blocks', async () => {
    // In the input of a call and in its result, until a compaction; and in a later prompt to another model.
    const session = new PlantedSession();
    session.talk(2);
    const { result } = session.bash(
      `curl -H "X-Shelf: ${tokenOf('gate')}" shelves.example`,
      `sent ${tokenOf('gate')}\n`,
    );
    session.reply('There are forty shelves.');
    session.talk(2);
    session.compact('This session is being continued from a previous conversation. They spoke of shelves.');
    session.talk(1);
    session.model('claude-opus-4-5-20251101');
    session.prompt(`Sign with ${tokenOf('door')} today.`);
    session.reply('It is signed.');
    session.talk(1);
    const holding = [...session.requests().entries()].filter(([, { pieces }]) => pieces.includes(result));
    const count = holding.length;
    const span = `in ${count} requests, ${(holding[0]?.[0] ?? 0) + 1} – ${(holding.at(-1)?.[0] ?? 0) + 1}`;

    const inspector = await openThroughDoor({ text: plantedClaudeCode(session) });
    const { page } = inspector;
    const button = page.getByRole('button', { name: /^Session details/ });
    await button.press('Enter');
    const entries = page.getByTestId('secrets').getByRole('listitem');
    await entries.nth(1).waitFor();
    const [gate = '', door = ''] = await entries.allInnerTexts();
    assert.match(gate, /line \d+, in command\s+line \d+\s/);
    assert.ok(gate.includes(`sent ${span} · read from the cache in ${count - 1} of ${count} requests`), gate);
    assert.match(
      gate,
      /to claude-sonnet-4-5-20250929, a model of Anthropic · since .*no longer sent since a compaction/,
    );
    assert.match(door, /sent in 2 requests.*read from the cache in 1 of 2 requests/);
    assert.match(door, /to claude-opus-4-5-20251101, a model of Anthropic · since .*still sent/);
    // By keyboard only, starting at the button.
    const focused = page.locator(':focus');
    for (let presses = 0; presses < 20; presses += 1) {
      if (/^line \d+, in command$/.test(await focused.innerText())) {
        break;
      }
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.getByTestId('exposure').waitFor();
    assert.match(await page.locator('.block-details__head').innerText(), /Bash/);
    const facts = await page.locator('.block-facts').innerText();
    assert.ok(facts.includes(span), facts);
    assert.match(facts, /no longer sent since a compaction/);
    await page.getByTestId('secrets').waitFor({ state: 'hidden' });
    await button.click();
    await entries.nth(1).getByRole('button').first().click();
    await page.getByTestId('exposure').getByText('claude-opus').waitFor();
    assert.match(await page.locator('.block-facts').innerText(), /read from the cache in 1 of 2 requests/);
    assert.ok(!(await page.content()).includes('ghp_'));
    await inspector.close();
  });

  it('shows what it need not have sent with its price, goes to it, and hides a kind in all sessions', async () => {
    /** A session with a server that is never called and a test runner that prints every test, and the server's cost. */
    const wasteful = (tag: string) => {
      const session = new PlantedSession();
      session.system('You help in a bookshop.');
      const planted = wastePlants.flatMap(plant =>
        plant.kind === 'unusedServer' || plant.kind === 'noisyOutput' ? [plant.plant(session, tag)] : [],
      );
      session.talk(10);
      const server = planted.find(({ kind }) => kind === 'unusedServer')?.figures();
      return { text: plantedCapture(session), dollars: server?.dollars ?? 0 };
    };
    const { text, dollars } = wasteful('alder');
    const inspector = await openThroughDoor({ text });
    const { page } = inspector;
    await page.getByRole('tab', { name: 'Waste' }).click();
    const server = page.getByTestId('waste-unusedServer');
    const shown = await server.innerText();
    assert.match(shown, /alderdepot: 4 tools, never called/);
    const [, figure = ''] = /\$([\d.]+)/.exec(shown) ?? [];
    assert.ok(Math.abs(Number(figure) - dollars) < 0.15 * dollars, `${figure} instead of ${dollars}`);
    await server.getByRole('button').first().click();
    await page.getByTitle(/^4 of \d+ blocks/).waitFor();
    await page.getByRole('tab', { name: 'Block' }).click();
    await page
      .getByRole('tabpanel')
      .first()
      .getByText(/alderdepot/)
      .first()
      .waitFor();
    await page.getByRole('tab', { name: 'Waste' }).click();
    const noisy = page.getByTestId('waste-noisyOutput');
    await noisy.waitFor();
    await page.getByRole('button', { name: 'Kinds of waste shown' }).click();
    await page.getByRole('checkbox', { name: 'Output that a flag can avoid' }).click();
    await noisy.waitFor({ state: 'detached' });
    await server.waitFor();
    await page.getByText('1 kind hidden').waitFor();
    await inspector.close();

    const later = await openThroughDoor({
      text: wasteful('birch').text,
      settings: { 'contextInspector.hiddenWaste': ['noisyOutput'] },
    });
    await later.page.getByRole('tab', { name: 'Waste' }).click();
    await later.page.getByText('1 kind hidden').waitFor();
    assert.equal(await noisy.count(), 0);
    await later.page.getByRole('button', { name: 'Kinds of waste shown' }).click();
    await later.page.getByRole('checkbox', { name: 'Output that a flag can avoid' }).click();
    await noisy.waitFor();
    await later.close();
  });
});
