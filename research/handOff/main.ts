import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { member, parseJson, stringAt, toJson } from '../../src/core/base/json';
import { type HandOff, writtenSession } from '../../src/core/handOff/handOff';
import type { Manifest } from '../../src/core/handOff/manifest';
import { targetFacts } from '../../src/core/handOff/targets';
import { pruneRuleSets } from '../../src/core/model/pruneConfig';
import { agentSizeOf, ownTokensOf } from '../../src/core/tokens/agentOwn';
import { loadTokenizer } from '../../src/core/tokens/bytePairTokenizer';
import { lookUpModel } from '../../src/core/tokens/modelTable';
import { requestCost } from '../../src/core/tokens/prices';
import { handedItems } from '../../test/fixtures/handedItems';
import { compareBlocks } from '../../test/fixtures/openedTranscript';
import { sentItems, toolItem } from '../../test/fixtures/sentRequests';
import { run } from '../agents/main';
import { ownPartsOf } from '../agents/ownParts';
import type { ReceivedRequest } from '../agents/server';
import type { CountedUsage } from '../whatIf/cacheServer';
import { measureImporter } from './importer';
import { type Direction, directions, nameOf } from './plan';
import { firstRequest, type PreparedHandOff, prompt, receiverOf, withHandOff } from './receivers';
import {
  keepResults,
  lineOf,
  type Measured,
  type MeasuredSession,
  type Pair,
  resultsFolder,
  rowOf,
  transcriptOf,
  writeTable,
} from './results';
import { textOf, usageSentTwice } from './sentUsage';

/**
 * Hands sessions to an agent that runs against a scripted model on this machine, and compares its first request with the
 * manifest: `npm run hand-off -w research -- AGENT FILE…`. `--trim=RULES` prunes, `--list` prints what differs.
 * `--plan --samples=FOLDER DIRECTION…` goes through the directions of the plan, all without a name; with `--kept` it
 * compares the requests of the last run again. `--write` writes the table of all that was measured to docs/hand-off.md. `--importer FILE…` lets Codex's own importer bring in
 * sessions of Claude Code.
 */
export async function measureHandOffs(given: readonly string[]): Promise<void> {
  const isListed = given.includes('--list');
  const words = given.filter(word => !word.startsWith('--'));
  if (given.includes('--plan')) {
    const samples = valueIn(given, 'samples');
    for (const direction of directions.filter(each => words.length === 0 || words.includes(nameOf(each)))) {
      if (samples !== undefined) {
        await measureDirection(direction, samples, { isListed, isKept: given.includes('--kept') });
      }
    }
    if (given.includes('--write')) {
      writeTable();
    }
    return;
  }
  if (given.includes('--importer')) {
    await measureImporter(words);
    return;
  }
  const [name = '', ...paths] = words;
  const trim = valueIn(given, 'trim');
  const rules = pruneRuleSets.find(known => known === trim);
  for (const file of paths) {
    const measured = await measureOne(file, receiverOf(name), rules, { isListed });
    console.log(`${basename(file)}: ${typeof measured === 'string' ? measured : lineOf(measured)}`);
  }
}

const valueIn = (given: readonly string[], name: string): string | undefined =>
  given.find(word => word.startsWith(`--${name}=`))?.slice(name.length + 3);

interface MeasureOptions {
  /** Prints all that differs. */
  readonly isListed: boolean;
  /** True to compare the request that was kept. */
  readonly isKept?: boolean;
  /** Where the session that the agent left and its request are kept, without their endings. */
  readonly keep?: string;
}

/** Hands the sessions of a direction over, and keeps what was measured and the sessions that the agent left. */
async function measureDirection(
  direction: Direction,
  samples: string,
  options: MeasureOptions,
): Promise<void> {
  const name = nameOf(direction);
  const left = join(resultsFolder, 'left', name);
  mkdirSync(left, { recursive: true });
  const results: MeasuredSession[] = [];
  for (const [index, file] of direction.files.entries()) {
    const copy = mkdtempSync(join(tmpdir(), 'hand-off-origin-'));
    try {
      const path = transcriptOf(file.startsWith('left/') ? resultsFolder : samples, file, copy);
      const keep = join(left, String(index));
      const measured = await measureOne(path, receiverOf(direction.to), direction.trim, { ...options, keep });
      results.push({ file, measured });
      console.log(`${name} ${file}: ${typeof measured === 'string' ? measured : lineOf(measured)}`);
    } catch (error) {
      results.push({ file, measured: error instanceof Error ? error.message : String(error) });
      console.log(`${name} ${file}: ${String(error)}`);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  }
  keepResults(name, results);
  console.log(rowOf(direction, results));
}

async function measureOne(
  file: string,
  receiver: ReturnType<typeof receiverOf>,
  rules: (typeof pruneRuleSets)[number] | undefined,
  { isListed, isKept = false, keep }: MeasureOptions,
): Promise<Measured | string> {
  return withHandOff(file, receiver, rules, async prepared => {
    const sent = isKept && keep !== undefined ? keptRequest(keep) : await requestOf(prepared, receiver, keep);
    return typeof sent === 'string' ? sent : compared(prepared.planned, sent, isListed);
  });
}

/** Writes the session, lets the agent resume it, and gives its first request. */
async function requestOf(
  { planned, home, work, program, environment, server }: PreparedHandOff,
  [{ folder, adds, resume }]: ReturnType<typeof receiverOf>,
  keep: string | undefined,
): Promise<ReceivedRequest | string> {
  const written = { ...planned, session: { ...planned.session, workingDirectory: work } };
  const path = join(home, folder, ...planned.facts.writer.path(written.session));
  mkdirSync(dirname(path), { recursive: true });
  const lines: Uint8Array[] = [];
  for await (const line of writtenSession(written)) {
    lines.push(line);
  }
  writeFileSync(path, Buffer.concat(lines));
  const added = adds === undefined ? '' : await run(program, adds(path), work, environment);
  const resumed = await run(program, resume({ id: written.session.id, path }, prompt), work, environment);
  const sent = firstRequest(server);
  if (keep !== undefined) {
    copyFileSync(path, `${keep}.jsonl`);
    writeFileSync(`${keep}.request.json`, JSON.stringify(sent ?? null));
  }
  return sent ?? `sent nothing: ${`${added}${resumed}`.slice(-300).replaceAll('\n', ' ')}`;
}

function keptRequest(keep: string): ReceivedRequest | string {
  const path = `${keep}.request.json`;
  const kept = existsSync(path) ? parseJson(readFileSync(path, 'utf8')) : undefined;
  const sentTo = stringAt(kept, 'path');
  return sentTo === undefined ? 'no request was kept' : { path: sentTo, body: member(kept, 'body') };
}

async function compared(
  { manifest, parts }: HandOff,
  request: ReceivedRequest,
  isListed: boolean,
): Promise<Measured> {
  const sent = sentItems(request.body);
  const expected = parts.map(handedItems).filter(items => items.length > 0);
  const { missing, extra } = compareBlocks(sent, expected.flat());
  const unsent = [...extra];
  const asPredicted = expected.filter(items => {
    const places = items.map(item => {
      const place = unsent.indexOf(item);
      if (place >= 0) {
        unsent.splice(place, 1);
      }
      return place;
    });
    return places.every(place => place < 0);
  }).length;
  if (isListed || asPredicted < expected.length) {
    extra.forEach(item => console.log(`  predicted, not sent: ${toJson(item.slice(0, 300))}`));
    missing
      .filter(item => !item.startsWith('tool '))
      .forEach(item => console.log(`  sent, not predicted: ${toJson(item.slice(0, 300))}`));
  }
  const tokenizer = await loadTokenizer('o200k_base');
  const isNext = (item: string): boolean => item.startsWith('user: ') && item.includes(prompt);
  // Tools count as in the table of sizes, with their JSON.
  const tools = new Map(ownPartsOf(request.body).tools.map(text => [toolItem(parseJson(text)), text]));
  const textCount = (item: string): number =>
    item.startsWith('image: ') || isNext(item) ? 0 : tokenizer.count(tools.get(item) ?? textOf(item));
  const count = (items: readonly string[]): number => items.reduce((sum, item) => sum + textCount(item), 0);
  const size = agentSizeOf(
    targetFacts[manifest.target].agent,
    [manifest.version],
    manifest.model ?? undefined,
  );
  const scale = manifest.own === null || size === undefined ? 1 : manifest.own.tokens / ownTokensOf(size);
  const ownTokens = size === undefined ? 0 : ownTokensOf(size);
  const predictedTokens = count(expected.flat()) + ownTokens;
  // A scripted model cannot show the tokens of images: providers count them by rules of their own.
  const imageTokens = Math.max(0, manifest.tokens.value / scale - predictedTokens);
  const images = sent.filter(item => item.startsWith('image: ')).length;
  const sizeOf = (item: string): number =>
    scale * (item.startsWith('image: ') ? imageTokens / images : textCount(item));
  const usage = usageSentTwice(request, sizeOf);
  return {
    blocks: expected.length,
    asPredicted,
    tokens: { predicted: predictedTokens, sent: count(sent) },
    own: { predicted: ownTokens, sent: count(missing) },
    cold: costOf(manifest, manifest.cost?.cold, usage.cold),
    warm: costOf(manifest, manifest.cost?.warm, usage.warm),
  };
}

/** The predicted cost, and the one of the usage that the scripted provider counts. */
function costOf(
  { model }: Manifest,
  predicted: number | undefined,
  { total, read, written, hour }: CountedUsage,
): Pair | undefined {
  const prices = lookUpModel(model ?? '')?.prices;
  const usage = {
    input: total - read - written,
    cacheRead: read,
    cacheWrite: written,
    cacheWriteHour: hour,
    output: 0,
  };
  const sent = prices && requestCost(prices, usage, Date.now());
  return predicted === undefined || sent === undefined ? undefined : { predicted, sent };
}
