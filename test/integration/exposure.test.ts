import assert from 'node:assert/strict';
import { tokenOf } from '../fixtures/planted/exposurePlants';
import { PlantedSession } from '../fixtures/planted/plantedSession';
import { plantedClaudeCode } from '../fixtures/planted/plantedWriters';
import { ui, windowMissing } from './driver';
import { test } from './index';
import { finalEditor, openAlone, temporaryFile } from './inspector';

/** A secret in the input of a call and in its result, until a compaction, and one in a later prompt to another model. */
function exposedSession() {
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
  return { session, result };
}

test(
  'lists each secret with where it was sent, and goes from there to its blocks by keyboard and mouse',
  async () => {
    const { session, result } = exposedSession();
    const uri = temporaryFile('exposed.jsonl', plantedClaudeCode(session));
    await openAlone(uri);
    await finalEditor(uri);
    const seen = await ui(async ({ webview, page }) => {
      const button = webview.getByRole('button', { name: /^Session details/ });
      await button.focus();
      await page.keyboard.press('Enter');
      const secrets = webview.getByTestId('secrets');
      const entries = secrets.getByRole('listitem');
      await entries.nth(1).waitFor();
      const texts = await entries.allInnerTexts();
      // By keyboard only, starting at the button.
      const focused = (): Promise<string> => webview.locator(':focus').innerText();
      for (let presses = 0; presses < 20 && !/^line \d+, in command$/.test(await focused()); presses += 1) {
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Enter');
      const exposure = webview.getByTestId('exposure');
      await exposure.waitFor();
      const facts = await webview.locator('.block-facts').innerText();
      const name = await webview.locator('.block-details__head').innerText();
      const isClosed = await secrets.isHidden();
      await button.click();
      await entries.nth(1).getByRole('button').first().click();
      await webview.getByTestId('exposure').getByText('claude-opus').waitFor();
      return [...texts, facts, name, String(isClosed), await webview.locator('.block-facts').innerText()];
    });
    assert.ok(Array.isArray(seen));
    const [gate = '', door = '', facts = '', name = '', isClosed = '', doorFacts = ''] = seen.map(String);
    const holding = [...session.requests().entries()].filter(([, { pieces }]) => pieces.includes(result));
    const count = holding.length;
    const span = `in ${count} requests, ${(holding[0]?.[0] ?? 0) + 1} – ${(holding.at(-1)?.[0] ?? 0) + 1}`;
    assert.match(gate, /line \d+, in command\s+line \d+\s/);
    assert.ok(gate.includes(`sent ${span} · read from the cache in ${count - 1} of ${count} requests`), gate);
    assert.match(
      gate,
      /to claude-sonnet-4-5-20250929, a model of Anthropic · since .*no longer sent since a compaction/,
    );
    assert.match(door, /sent in 2 requests.*read from the cache in 1 of 2 requests/);
    assert.match(door, /to claude-opus-4-5-20251101, a model of Anthropic · since .*still sent/);
    assert.match(name, /Bash/);
    assert.ok(facts.includes(span), facts);
    assert.match(facts, /no longer sent since a compaction/);
    assert.equal(isClosed, 'true');
    assert.match(doorFacts, /read from the cache in 1 of 2 requests/);
    assert.ok(![gate, door, facts, doorFacts].join().includes('ghp_'));
  },
  { skip: windowMissing },
);
