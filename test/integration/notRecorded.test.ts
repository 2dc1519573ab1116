import assert from 'node:assert/strict';
import { addToolTurns, ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { ui, windowMissing } from './driver';
import { test } from './index';
import { finalEditor, openAlone, temporaryFile } from './inspector';

test(
  'says where tokens left without a record, what probably left, and whose the unrecorded part is',
  async () => {
    const session = addToolTurns(new ClaudeCodeSession(), 'Find the cause.', 10, 20_000)
      .dropUnrecorded(80_000)
      .prompt('Go on.')
      .reply({ text: 'It is fixed.' });
    const uri = temporaryFile('cleared.jsonl', session.toString());
    await openAlone(uri);
    await finalEditor(uri);
    const seen = await ui(async ({ webview }) => {
      await webview.getByRole('slider', { name: 'Request' }).press('End');
      const note = webview.getByTestId('jump-note');
      await note.waitFor();
      await webview.locator('.window__part--unknown').click();
      const parts = webview.getByTestId('not-recorded-part');
      await parts.first().waitFor();
      const cleared = webview.getByRole('region', { name: 'probably pruned by the agent' });
      const found = [await note.innerText(), ...(await parts.allInnerTexts()), await cleared.innerText()];
      await cleared.locator('.block-list__entry').first().click();
      const facts = webview.locator('.block-facts');
      await facts.waitFor();
      return [...found, await facts.innerText()];
    });
    assert.ok(Array.isArray(seen));
    const [note = '', own = '', yours = '', cleared = '', facts = ''] = seen.map(String);
    assert.match(note, /^About [\d,]+ tokens disappeared from the context here, probably old tool results/);
    assert.match(
      own,
      /prompt and tools of the agent: about [\d,]+ tokens \(measured with version 2\.1\.33\d\)/,
    );
    assert.match(yours, /your MCP servers, memory and instructions: about [\d,]+ tokens/);
    assert.match(cleared, /Read/);
    assert.match(facts, /since request \d+: probably pruned by the agent/);
  },
  { skip: windowMissing },
);
