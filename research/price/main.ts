import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { arrayAt, member, parseJson, stringAt } from '../../src/core/base/json';
import { formatNumber } from '../../src/core/base/format';
import { type AgentPrice, priceChange } from '../../src/core/price/priceChange';
import { type PricedAgent, pricedAgents } from '../../src/core/price/promptFiles';
import { loadTokenizer } from '../../src/core/tokens/bytePairTokenizer';
import { lookUpModel } from '../../src/core/tokens/modelTable';
import { filesOfCommit, filesOfFolder } from '../../src/node/git/repository';
import { sentItems } from '../../test/fixtures/sentRequests';
import { agentsUnderTest, type AgentUnderTest, writeSettings } from '../agents/agents';
import { environmentOf, install, run } from '../agents/main';
import { startServer } from '../agents/server';
import { baseFiles, type Edits, type PriceCase, priceCases } from './cases';
import { measureServers } from './servers';

/** The names of the agents in research/agents. */
const programs: Readonly<Record<PricedAgent, string>> = {
  'Claude Code': 'claude',
  Codex: 'codex',
  opencode: 'opencode',
};

/** A model whose tokenizer is known, so that only the texts are in question. */
const countedModel = 'gpt-5.5';

interface Measured {
  readonly agent: PricedAgent;
  readonly change: string;
  readonly predicted: number;
  /** True if the prediction says that a part cannot be told. */
  readonly isPartly: boolean;
  readonly truth: number;
}

/**
 * Predicts what changes to a repository add to the requests of real agents, applies each, runs the agent again, and
 * compares with the tokens of the request that a server on this machine received. Words choose agents and changes;
 * `--made` uses earlier runs alone; `--write` writes docs/price.md; `--show` prints the items that differ.
 */
export async function measurePrice(given: readonly string[]): Promise<void> {
  const words = given.filter(word => !word.startsWith('--'));
  const measured: Measured[] = [];
  const failures: string[] = [];
  for (const agent of pricedAgents) {
    const cases = priceCases.filter(
      ({ name, agents = pricedAgents }) =>
        agents.includes(agent) && words.every(word => `${programs[agent]} ${name}`.includes(word)),
    );
    if (cases.length === 0) {
      continue;
    }
    const bench = new Bench(agent);
    const isChosen = ({ name, edits }: PriceCase): boolean =>
      !given.includes('--made') || bench.made(name, edits) !== undefined;
    const chosen = cases.filter(isChosen);
    if (chosen.length < cases.length) {
      failures.push(`${agent}: ${cases.length - chosen.length} of ${cases.length} changes were not run`);
    }
    if (chosen.length === 0) {
      continue;
    }
    const before = await bench.request('base', {}).catch((error: unknown) => {
      failures.push(`${agent}: ${messageOf(error)}`);
      return undefined;
    });
    if (before === undefined) {
      continue;
    }
    for (const each of chosen) {
      try {
        const prediction = await bench.predict(each);
        const after = await bench.request(each.name, each.edits);
        const truth = after.tokens - before.tokens;
        measured.push({ agent, change: each.name, ...prediction, truth });
        console.log(agent, each.name, prediction.predicted, truth);
        if (given.includes('--show')) {
          after.items.filter(item => !before.items.includes(item)).forEach(item => console.log('+', item));
          before.items.filter(item => !after.items.includes(item)).forEach(item => console.log('-', item));
        }
      } catch (error) {
        failures.push(`${agent}, ${each.name}: ${messageOf(error)}`);
        console.log(failures.at(-1));
      }
    }
  }
  const tokenizer = await loadTokenizer('o200k_base');
  const servers =
    words.length === 0
      ? await measureServers(countedModel, text => Promise.resolve(tokenizer.count(text)))
      : [];
  measured.push(...servers.map((each): Measured => ({ ...each, agent: 'Claude Code' })));
  const text = report(measured, failures);
  console.log(text);
  if (given.includes('--write')) {
    write(text);
  }
}

function underTest(agent: PricedAgent): AgentUnderTest {
  const under = agentsUnderTest.find(({ name }) => name === programs[agent]);
  if (under === undefined) {
    throw new Error(`No agent named ${programs[agent]}.`);
  }
  return under;
}

interface CountedRequest {
  readonly items: readonly string[];
  readonly tokens: number;
}

/** A repository with an agent that works in it, both always in the same folder. */
class Bench {
  private readonly folder: string;
  private readonly repository: string;
  private readonly under: AgentUnderTest;

  constructor(private readonly agent: PricedAgent) {
    this.under = underTest(agent);
    const folder = resolve('.vscode-test', 'price-runs', programs[agent]);
    mkdirSync(folder, { recursive: true });
    // Agents name a folder without links.
    this.folder = realpathSync(folder);
    this.repository = join(this.folder, 'ledger');
  }

  /** The first request of a session in the repository with some edits; an earlier run with the same files is used again. */
  async request(name: string, edits: Edits): Promise<CountedRequest> {
    const made = this.made(name, edits);
    if (made !== undefined) {
      return countedRequest(made);
    }
    const body = await this.sent(edits);
    const text = JSON.stringify({ package: this.under.package, files: filesWith(edits), body });
    writeFileSync(this.savedAt(name), text);
    return countedRequest(body);
  }

  /** The request of an earlier run with the same files; undefined if there is none. */
  made(name: string, edits: Edits): unknown {
    const path = this.savedAt(name);
    const saved = existsSync(path) ? parseJson(readFileSync(path, 'utf8')) : undefined;
    return stringAt(saved, 'files') === filesWith(edits) && stringAt(saved, 'package') === this.under.package
      ? member(saved, 'body')
      : undefined;
  }

  private savedAt(name: string): string {
    return join(this.folder, `${name.replaceAll(' ', '-')}.json`);
  }

  private async sent(edits: Edits): Promise<unknown> {
    const { program, path } = install(this.under);
    const home = join(this.folder, 'home');
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home, { recursive: true });
    this.write({ ...baseFiles, ...edits });
    const server = await startServer(this.repository);
    try {
      writeSettings(this.under, server.url, home);
      if (this.agent === 'Codex') {
        // The settings of a repository count only if a person trusts it.
        const config = join(home, '.codex', 'config.toml');
        const trust = `[projects."${this.repository}"]\ntrust_level = "trusted"\n`;
        writeFileSync(config, `${readFileSync(config, 'utf8')}\n${trust}`);
      }
      const output = await run(
        program,
        this.under.first('Please say which files are here.'),
        this.repository,
        environmentOf(this.under, { path, home, url: server.url }),
      );
      const body = server.received.map(each => each.body).find(each => arrayAt(each, 'tools').length > 0);
      if (body === undefined) {
        throw new Error(`no request with tools: ${output.slice(-400).replaceAll(/\s+/g, ' ')}`);
      }
      return body;
    } finally {
      await server.stop();
    }
  }

  /** The price of the edits, as between the commit and the changed folder. */
  async predict({ edits }: PriceCase): Promise<{ readonly predicted: number; readonly isPartly: boolean }> {
    const root = this.repository;
    this.write(baseFiles);
    this.edit(edits);
    const tokenizer = await loadTokenizer('o200k_base');
    const use = {
      agent: this.agent,
      model: countedModel,
      requests: 1,
      tokenPrice: undefined,
      isAssumed: true,
    } as const;
    const { agents } = await priceChange(
      await filesOfCommit(root, 'HEAD', () => true),
      await filesOfFolder(root, () => true),
      { root, uses: [use], rowOf: lookUpModel },
      text => Promise.resolve(tokenizer.count(text)),
    );
    const price: AgentPrice | undefined = agents[0];
    return {
      predicted: price?.tokens ?? 0,
      isPartly: price?.files.some(file => file.isPartly) ?? false,
    };
  }

  /** Makes a new repository of one commit with these files. */
  private write(files: Edits): void {
    rmSync(this.repository, { recursive: true, force: true });
    mkdirSync(this.repository, { recursive: true });
    this.edit(files);
    const git = (...words: readonly string[]): void => {
      execFileSync('git', ['-C', this.repository, '-c', 'user.name=a', '-c', 'user.email=a@b', ...words]);
    };
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('commit', '-qm', 'state');
  }

  private edit(files: Edits): void {
    for (const [path, text] of Object.entries(files)) {
      const full = join(this.repository, path);
      if (text === null) {
        rmSync(full, { force: true });
      } else {
        mkdirSync(dirname(full), { recursive: true });
        writeFileSync(full, text);
      }
    }
  }
}

const filesWith = (edits: Edits): string => JSON.stringify({ ...baseFiles, ...edits });

/** Texts that differ between two runs of the same repository. */
const passing: readonly (readonly [RegExp, string])[] = [
  // The role is no text of the request.
  [/^(?:system|user): /, ''],
  // Names of commits, and ids.
  [/\b[0-9a-f]{7,}(?:-[0-9a-f]{4,})*\b/g, '0'],
];

async function countedRequest(body: unknown): Promise<CountedRequest> {
  const tokenizer = await loadTokenizer('o200k_base');
  const tools = arrayAt(body, 'tools').map(tool => JSON.stringify(tool));
  const texts = sentItems(body).filter(
    item => !item.startsWith('tool ') && !item.startsWith('system: x-anthropic-billing-header'),
  );
  const items = [...tools, ...texts].map(item =>
    passing.reduce((text, [found, replacement]) => text.replace(found, replacement), item),
  );
  return { items, tokens: items.reduce((sum, item) => sum + tokenizer.count(item), 0) };
}

function report(measured: readonly Measured[], failures: readonly string[]): string {
  const told = measured.filter(({ isPartly }) => !isPartly);
  const exact = told.filter(({ predicted, truth }) => predicted === truth).length;
  const versions = pricedAgents
    .filter(agent => measured.some(each => each.agent === agent))
    .map(agent => `${agent} ${underTest(agent).package.split('@').at(-1) ?? ''}`);
  return [
    `${versions.join(', ')}. ${told.length} changes that can be told: ${exact} right to the token.`,
    '',
    '| Agent | Change | Predicted | True |',
    '| --- | --- | --- | --- |',
    ...measured.map(({ agent, change, predicted, truth, isPartly }) => {
      const told = isPartly ? 'not told' : signed(predicted);
      return `| ${agent} | ${change} | ${told} | ${signed(truth)}${isPartly || predicted === truth ? '' : ' (missed)'} |`;
    }),
    ...(failures.length === 0 ? [] : ['', 'Not compared:', '', ...failures.map(failure => `- ${failure}`)]),
  ].join('\n');
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const signed = (value: number): string =>
  value === 0 ? '0' : `${value < 0 ? '−' : '+'}${formatNumber(Math.abs(value))}`;

const [begin, end] = ['<!-- measured -->', '<!-- end of measured -->'];

function write(text: string): void {
  const path = join('docs', 'price.md');
  const before = readFileSync(path, 'utf8');
  const head = before.slice(0, before.indexOf(begin) + begin.length);
  writeFileSync(path, `${head}\n${text}\n${before.slice(before.indexOf(end))}`);
}
