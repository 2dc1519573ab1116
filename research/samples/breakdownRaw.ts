import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { entryOf } from '../../src/core/base/entryOf';
import { isObject } from '../../src/core/base/json';
import { type BreakdownTree, breakdownTree, kindOfNode } from '../../src/core/breakdown/breakdownTree';
import { requestTokens } from '../../src/core/breakdown/requestValues';
import { kindOf } from '../../src/core/model/blockWords';
import type { SessionColumns } from '../../src/core/model/columns';
import { blocksOf } from '../../src/core/model/requestBlocks';
import type { Transcript } from '../../src/core/model/transcript';
import { loadTokenizer } from '../../src/core/tokens/bytePairTokenizer';
import { isCarried } from '../../src/core/view/requestTokens';
import { openSample } from './openSample';
import { rawParts, type ToolPart } from './rawRequests';

/** The number of a tool's texts in a request, and their UTF-16 units and tokens before any calibration. */
interface Amount {
  count: number;
  characters: number;
  tokens: number;
}

/** The figures about tools from a breakdown of recorded requests, and from the requests themselves. */
export interface RawComparison {
  readonly requests: number;
  /** Tools, each with its schema, calls and results, that were compared, over all requests. */
  readonly compared: number;
  readonly texts: number;
  /** Their differences, in words. */
  readonly differences: readonly string[];
  /** The largest distance of a part's tokens from its share by the request's one scale. Tokens for a text. */
  readonly unscaled: number;
}

/**
 * Compares every request of a log of requests (`raw-requests.jsonl`) with itself as the program reads it; undefined where no
 * format reads the log.
 */
export async function compareRaw(path: string): Promise<RawComparison | undefined> {
  const lines = unpacked(path).toString().split('\n');
  return compare(path, ({ requests }, request) =>
    bodyOf(JSON.parse(lines[(requests.line[request] ?? 0) - 1] ?? 'null')),
  );
}

/**
 * Compares the requests of a transcript as an agent wrote it with those of the log that have the same response; undefined
 * where no format reads it.
 */
export async function compareNative(path: string, log: string): Promise<RawComparison | undefined> {
  const bodies = new Map<unknown, unknown>();
  for (const line of unpacked(log).toString().trim().split('\n')) {
    const record: unknown = JSON.parse(line);
    const id = isObject(record) ? record['response_id'] : undefined;
    if (typeof id === 'string') {
      bodies.set(id, bodyOf(record));
    }
  }
  return compare(path, (_, request, { requests }) => bodies.get(requests[request]?.id));
}

function unpacked(path: string): Buffer {
  const packed = readFileSync(path);
  return path.endsWith('.gz') ? gunzipSync(packed) : packed;
}

function bodyOf(record: unknown): unknown {
  const body = isObject(record) ? record['body'] : undefined;
  return typeof body === 'string' && body !== '' ? JSON.parse(body) : body;
}

/** @param sent the body of a request, undefined where it is not known */
async function compare(
  path: string,
  sent: (columns: SessionColumns, request: number, transcript: Transcript) => unknown,
): Promise<RawComparison | undefined> {
  const opened = await openSample(basename(path).replace(/\.gz$/, ''), unpacked(path));
  if (opened === undefined) {
    return undefined;
  }
  const session = opened.toSession();
  const { columns } = session;
  const tree = breakdownTree(session);
  const tokenizer = await loadTokenizer(opened.encoding);
  const counts = new Map<string, number>();
  const count = (text: string): number => entryOf(counts, text, () => tokenizer.count(text));
  const differences: string[] = [];
  let [requests, compared, texts, unscaled] = [0, 0, 0, 0];
  for (const request of columns.requests.context.keys()) {
    const body = sent(columns, request, opened.transcript);
    if (body === undefined) {
      continue;
    }
    requests += 1;
    const found = amountsOf(tree, columns, opened.tokenizerTokens, request);
    const hasSchemas = [...found.amounts.keys()].some(key => key.endsWith('schema'));
    const expected = new Map<string, Amount>();
    for (const { tool, part, text } of rawParts(body)) {
      const wire = part === 'calls' ? `${tool} ${text}` : text;
      // Most agents do not write down the tools that they offer.
      if (part !== 'schema' || hasSchemas) {
        add(expected, keyOf(...serverOf(tool), part), {
          count: 1,
          characters: text.length,
          tokens: count(wire),
        });
      }
    }
    for (const key of new Set([...expected.keys(), ...found.amounts.keys()])) {
      const [raw, own] = [expected.get(key), found.amounts.get(key)].map(words);
      compared += 1;
      texts += expected.get(key)?.count ?? 0;
      if (raw !== own) {
        differences.push(`request ${request}, ${key}: sent ${raw ?? ''}, in the breakdown ${own ?? ''}`);
      }
    }
    unscaled = Math.max(unscaled, found.unscaled);
  }
  return { requests, compared, texts, differences, unscaled };
}

const words = (amount: Amount | undefined): string =>
  amount === undefined
    ? 'nothing'
    : `${amount.count} texts of ${amount.characters} characters and ${amount.tokens} tokens`;

const keyOf = (server: string, tool: string, part: ToolPart): string =>
  `${server === '' ? '' : `${server} › `}${tool} › ${part}`;

/** `mcp__server__tool`, as the agents of these runs write the tools of servers. */
function serverOf(name: string): readonly [server: string, tool: string] {
  const [prefix, server = '', ...tool] = name.split('__');
  return prefix === 'mcp' && tool.length > 0 ? [server, tool.join('__')] : ['', name];
}

function add(amounts: Map<string, Amount>, key: string, { count, characters, tokens }: Amount): void {
  const amount = entryOf(amounts, key, () => ({ count: 0, characters: 0, tokens: 0 }));
  amount.count += count;
  amount.characters += characters;
  amount.tokens += tokens;
}

/** The same from the breakdown of a request. */
function amountsOf(
  tree: BreakdownTree,
  columns: SessionColumns,
  tokenizerTokens: Uint32Array,
  request: number,
): { readonly amounts: ReadonlyMap<string, Amount>; readonly unscaled: number } {
  const { blocks, requests } = columns;
  const amounts = new Map<string, Amount>();
  const tokens = requestTokens(tree, columns, request);
  const held = [...blocksOf(columns, request)].filter(block => isCarried(blocks, block, request));
  const counted = held.reduce((sum, block) => sum + (blocks.tokens[block] ?? 0), 0);
  const thread = requests.thread[request] ?? 0;
  const visible = tokens(0) - tokens(tree.notRecordedOf(thread));
  let unscaled = 0;
  for (const block of held) {
    const leaf = tree.leafOf(block, thread);
    const key = keyOfLeaf(tree, columns, leaf);
    if (key !== undefined) {
      add(amounts, key, {
        count: 1,
        characters: blocks.characters[block] ?? 0,
        tokens: tokenizerTokens[block] ?? 0,
      });
      const share = counted === 0 ? 0 : (visible * (blocks.tokens[block] ?? 0)) / counted;
      unscaled = Math.max(unscaled, Math.abs(tokens(leaf) - share));
    }
  }
  return { amounts, unscaled };
}

/** Results stand by tool, or by what they brought: a file, a command. Those are told by the tool of their block. */
function keyOfLeaf(
  tree: BreakdownTree,
  { blocks, strings }: SessionColumns,
  leaf: number,
): string | undefined {
  let part: ToolPart | undefined;
  let tool: string | undefined;
  let server = '';
  for (let node = leaf; node > 0; node = tree.parent[node] ?? 0) {
    const kind = kindOfNode(tree, node);
    if (kind === 'schema' || kind === 'calls' || kind === 'results') {
      part = kind;
    } else if (kind === 'tool') {
      tool = tree.nameOf(node);
    } else if (kind === 'server') {
      server = tree.nameOf(node);
    }
  }
  if (part !== undefined) {
    return keyOf(server, tool ?? '', part);
  }
  const block = tree.block[leaf] ?? 0;
  return kindOf(blocks, block) === 'toolResult'
    ? keyOf(...serverOf(strings.at(blocks.tool[block] ?? 0) ?? ''), 'results')
    : undefined;
}

/** A line for each log of requests among the files and each transcript of its run, and one for each difference. */
export async function* rawLines(files: readonly string[]): AsyncGenerator<string> {
  for (const log of files.filter(path => /raw-requests\.jsonl(\.gz)?$/.test(path))) {
    yield* comparisonLines(log, await compareRaw(log));
    const run = join(dirname(log), 'native');
    for (const file of files.filter(path => path.startsWith(run) && /\.jsonl(\.gz)?$/.test(path))) {
      const found = await compareNative(file, log);
      yield* found === undefined || found.requests === 0 ? [] : comparisonLines(file, found);
    }
  }
}

function comparisonLines(file: string, found: RawComparison | undefined): readonly string[] {
  if (found === undefined) {
    return [`${file}: no format reads it`];
  }
  const { requests, compared, texts, differences, unscaled } = found;
  return [
    `${file}: ${requests} requests, ${compared} parts of tools, ${texts} texts, ${differences.length} differences; at most ${unscaled.toFixed(2)} tokens from the request's scale`,
    ...differences.map(difference => `  ${difference}`),
  ];
}
