import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { PlantedSession } from '../fixtures/planted/plantedSession';
import { plantedCapture } from '../fixtures/planted/plantedWriters';
import { wastePlants } from '../fixtures/planted/wastePlants';
import { ui, waitUntil, windowMissing } from './driver';
import { test } from './index';
import { finalEditor, openAlone, temporaryFile } from './inspector';

/**
 * A session with a server that is never called and a test runner that prints every test, and the cost of the server.
 */
function wasteful(tag: string) {
  const session = new PlantedSession();
  session.system('You help in a bookshop.');
  const planted = wastePlants.flatMap(plant =>
    plant.kind === 'unusedServer' || plant.kind === 'noisyOutput' ? [plant.plant(session, tag)] : [],
  );
  session.talk(10);
  const server = planted.find(({ kind }) => kind === 'unusedServer')?.figures();
  return { text: plantedCapture(session), dollars: server?.dollars ?? 0 };
}

async function openWaste(name: string, tag: string): Promise<number> {
  const { text, dollars } = wasteful(tag);
  const uri = temporaryFile(name, text);
  await openAlone(uri);
  await finalEditor(uri);
  await ui(async ({ webview }) => {
    await webview.getByRole('tab', { name: 'Waste' }).click();
    await webview.getByTestId('waste-headline').waitFor();
  });
  return dollars;
}

const isListed = (kind: string): Promise<unknown> =>
  ui(({ webview }, id) => webview.getByTestId(id).isVisible(), `waste-${kind}`);

/** Shows or hides a kind, in the menu of the kinds. */
const switchKind = (label: string): Promise<unknown> =>
  ui(async ({ page, webview }, name) => {
    await webview.getByRole('button', { name: 'Kinds of waste shown' }).click();
    await webview.getByRole('checkbox', { name }).click();
    await page.keyboard.press('Escape');
  }, label);

test(
  'shows what a session need not have sent, goes to it, and hides a kind in all sessions until it is brought back',
  async () => {
    try {
      const dollars = await openWaste('waste-one.jsonl', 'alder');
      const shown = String(await ui(({ webview }) => webview.getByTestId('waste-unusedServer').innerText()));
      assert.match(shown, /alderdepot: 4 tools, never called/);
      const [, figure = ''] = /\$([\d.]+)/.exec(shown) ?? [];
      assert.ok(Math.abs(Number(figure) - dollars) < 0.15 * dollars, `${figure} instead of ${dollars}`);

      const seen = await ui(async ({ webview }) => {
        await webview.getByTestId('waste-unusedServer').getByRole('button').first().click();
        await webview.getByTitle(/^4 of \d+ blocks/).waitFor();
        await webview.getByRole('tab', { name: 'Block' }).click();
        return webview.getByRole('tabpanel').first().innerText();
      });
      assert.match(String(seen), /alderdepot/);
      await ui(async ({ webview }) => {
        await webview.getByRole('tab', { name: 'Waste' }).click();
        await webview.getByTestId('waste-headline').waitFor();
      });

      assert.equal(await isListed('noisyOutput'), true);
      await switchKind('Output that a flag can avoid');
      await waitUntil('the kind is hidden', async () => (await isListed('noisyOutput')) === false);
      assert.equal(await isListed('unusedServer'), true);

      await openWaste('waste-two.jsonl', 'birch');
      assert.equal(await isListed('noisyOutput'), false);
      await ui(({ webview }) => webview.getByText('1 kind hidden').waitFor());
      await switchKind('Output that a flag can avoid');
      await waitUntil('the kind is back', async () => (await isListed('noisyOutput')) === true);
    } finally {
      await vscode.workspace
        .getConfiguration()
        .update('contextInspector.hiddenWaste', undefined, vscode.ConfigurationTarget.Global);
    }
  },
  { skip: windowMissing },
);
