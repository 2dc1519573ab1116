import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { formatExactShare, formatNumber } from '../../src/core/base/format';
import { toJson } from '../../src/core/base/json';
import { type HandOff, handOff, writtenSession } from '../../src/core/handOff/handOff';
import type { HandOffTarget } from '../../src/core/handOff/targets';
import { defaultPruneOptions, pruneRuleSets } from '../../src/core/model/pruneConfig';
import { loadTokenizer } from '../../src/core/tokens/bytePairTokenizer';
import { lookUpModel } from '../../src/core/tokens/modelTable';
import { unknownPrior } from '../../src/core/tokens/tokenizerPrior';
import { openFile } from '../../src/node/files/fileByteSource';
import { openOnDisk } from '../../src/node/sessions/openOnDisk';
import { compareBlocks } from '../../test/fixtures/openedTranscript';
import { handedItems } from '../../test/fixtures/handedItems';
import { sentItems } from '../../test/fixtures/sentRequests';
import { agentsUnderTest, type AgentUnderTest, writeSettings } from '../agents/agents';
import { environmentOf, install, run } from '../agents/main';
import { files, prompts } from '../agents/scenario';
import { startServer } from '../agents/server';

interface Receiver {
  /** Its name in `agentsUnderTest`. */
  readonly agent: string;
  readonly target: HandOffTarget;
  /** The model of the figures: the one that the scripted server plays for it. */
  readonly model: string;
  /** Its folder, below the home folder. */
  readonly folder: string;
  /** The arguments that add the session of a file, if the agent has to do it itself. */
  readonly adds?: (path: string) => readonly string[];
  readonly resume: (
    session: { readonly id: string; readonly path: string },
    prompt: string,
  ) => readonly string[];
}

const receivers: readonly Receiver[] = [
  {
    agent: 'claude',
    target: 'claude-code',
    model: 'claude-opus-5-5',
    folder: '.claude',
    resume: ({ id }, prompt) => ['-p', prompt, '--resume', id, '--dangerously-skip-permissions'],
  },
  {
    agent: 'codex',
    target: 'codex',
    model: 'gpt-5.5',
    folder: '.codex',
    resume: ({ id }, prompt) => [
      'exec',
      'resume',
      id,
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      prompt,
    ],
  },
  {
    agent: 'opencode',
    target: 'opencode',
    model: 'scripted',
    folder: 'handed',
    adds: path => ['import', path],
    resume: ({ id }, prompt) => ['run', '--model', 'local/scripted', '--session', id, prompt],
  },
  {
    agent: 'pi',
    target: 'pi',
    model: 'scripted',
    folder: '.pi/agent',
    resume: ({ path }, prompt) => [
      '--provider',
      'local',
      '--model',
      'scripted',
      '--session',
      path,
      '-p',
      prompt,
    ],
  },
];

/** The row of a hand-off in the table of docs/hand-off.md. */
interface Measured {
  readonly origin: string;
  readonly to: string;
  readonly blocks: number;
  readonly asPredicted: number;
  readonly predictedTokens: number;
  readonly sentTokens: number;
  readonly ownTokens: number | undefined;
  readonly sentOwnTokens: number;
}

const prompt = prompts.at(-1) ?? '';

/**
 * Hands sessions to an agent that runs against a scripted model on this machine, and compares its first request with the
 * manifest: `npm run hand-off -w research -- AGENT FILE…`. `--trim=RULES` prunes, `--list` prints what differs.
 */
export async function measureHandOffs([name = '', ...given]: readonly string[]): Promise<void> {
  const receiver = receivers.find(({ agent }) => agent === name);
  const agent = agentsUnderTest.find(known => known.name === name);
  if (receiver === undefined || agent === undefined) {
    throw new Error(`No agent named ${name}. There are: ${receivers.map(known => known.agent).join(', ')}.`);
  }
  const trim = given.find(word => word.startsWith('--trim='))?.slice('--trim='.length);
  const rules = pruneRuleSets.find(known => known === trim);
  console.log(
    '| Origin | To | Blocks as predicted | Tokens predicted | Tokens sent | Error | Own part, predicted | sent |\n| --- | --- | --- | --- | --- | --- | --- | --- |',
  );
  for (const file of given.filter(word => !word.startsWith('--'))) {
    const measured = await measureOne(file, receiver, agent, rules, given.includes('--list'));
    console.log(
      typeof measured === 'string' ? `| ${basename(file)} | ${name} | ${measured} |` : rowOf(measured),
    );
  }
}

function rowOf(row: Measured): string {
  const { origin, to, blocks, asPredicted, predictedTokens, sentTokens, ownTokens, sentOwnTokens } = row;
  const error = (predictedTokens - sentTokens) / sentTokens;
  const own = ownTokens === undefined ? 'not measured' : formatNumber(ownTokens);
  return `| ${[origin, to, `${asPredicted} of ${blocks}`, formatNumber(predictedTokens), formatNumber(sentTokens), formatExactShare(error), own, formatNumber(sentOwnTokens)].join(' | ')} |`;
}

async function measureOne(
  file: string,
  { target, model, folder, adds, resume }: Receiver,
  agent: AgentUnderTest,
  rules: (typeof pruneRuleSets)[number] | undefined,
  isListed: boolean,
): Promise<Measured | string> {
  const source = await openFile(file);
  const root = realpathSync(mkdtempSync(join(tmpdir(), `hand-off-${agent.name}-`)));
  try {
    const opened = await openOnDisk(file, source, {
      scanner: { scan: () => Promise.resolve([]) },
      mayGrow: false,
      models: {},
    });
    if (!opened.ok) {
      return opened.sentence;
    }
    const { session } = opened;
    await session.countTokens();
    const home = join(root, 'home');
    const work = join(root, 'shop');
    mkdirSync(home);
    mkdirSync(work);
    Object.entries(files).forEach(([path, content]) => writeFileSync(join(work, path), content));
    const planned = await handOff(session, target, {
      request: session.transcript.requests.findLastIndex(({ thread }) => thread === 0),
      isWhole: true,
      prune: rules === undefined ? undefined : defaultPruneOptions(rules),
      model,
      redactWith: undefined,
      path: file,
      workingDirectory: work,
      time: Date.now(),
      newId: randomUUID,
    });
    if (!planned.ok) {
      return planned.reason;
    }
    const written = { ...planned, session: { ...planned.session, workingDirectory: work } };
    const path = join(home, folder, ...planned.facts.writer.path(written.session));
    mkdirSync(dirname(path), { recursive: true });
    const lines: Uint8Array[] = [];
    for await (const line of writtenSession(written)) {
      lines.push(line);
    }
    writeFileSync(path, Buffer.concat(lines));
    const { program, path: programs } = install(agent);
    const server = await startServer(work);
    try {
      writeSettings(agent, server.url, home);
      const environment = environmentOf(agent, { path: programs, home, url: server.url });
      const added = adds === undefined ? '' : await run(program, adds(path), work, environment);
      const resumed = await run(program, resume({ id: written.session.id, path }, prompt), work, environment);
      const output = `${added}${resumed}`;
      const sent = server.received
        .map(({ body }) => sentItems(body))
        .find(
          items => items.some(item => item.startsWith('tool ')) && items.some(item => item.includes(prompt)),
        );
      return sent === undefined
        ? `sent nothing: ${output.slice(-300).replaceAll('\n', ' ')}`
        : await compared(planned, sent, `${session.transcript.agent.name}: ${basename(file)}`, isListed);
    } finally {
      await server.stop();
    }
  } finally {
    await source.close();
    rmSync(root, { recursive: true, force: true });
  }
}

async function compared(
  { manifest, parts, facts }: HandOff,
  sent: readonly string[],
  origin: string,
  isListed: boolean,
): Promise<Measured> {
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
  const tokenizer = await loadTokenizer('o200k_base');
  const count = (items: readonly string[]): number =>
    items.reduce((sum, item) => sum + (item.startsWith('image: ') ? 0 : tokenizer.count(textOf(item))), 0);
  if (isListed) {
    extra.forEach(item => console.log(`  predicted, not sent: ${toJson(item.slice(0, 300))}`));
    missing
      .filter(item => !item.startsWith('tool '))
      .forEach(item => console.log(`  sent, not predicted: ${toJson(item.slice(0, 300))}`));
  }
  const own = missing.filter(item => !item.includes(prompt));
  // The manifest counts for the model; here both sides count with the plain tokenizer.
  const ownTokens =
    manifest.own === null ? undefined : Math.round(manifest.own.tokens / scaleOf(manifest.model));
  return {
    origin,
    to: facts.agent,
    blocks: expected.length,
    asPredicted,
    predictedTokens: count(expected.flat()) + (ownTokens ?? 0),
    sentTokens: count(sent.filter(item => !item.includes(prompt))),
    ownTokens,
    sentOwnTokens: count(own),
  };
}

/** Tokens of the model for a token of the tokenizer. */
const scaleOf = (model: string | null): number =>
  (lookUpModel(model ?? '')?.tokenizerPrior ?? unknownPrior).scale;

/** An item without the word that says what it is. */
const textOf = (item: string): string => item.slice(item.indexOf(': ') + 2);
