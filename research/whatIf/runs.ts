import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Wish } from '../agents/scenario';
import { sessionsBelow } from '../agents/compare';
import { environmentOf, install, run } from '../agents/main';
import { CacheSession } from '../../src/core/cache/cacheSession';
import type { Session } from '../../src/core/model/columns';
import { openTranscript } from '../../src/core/session/openTranscript';
import { lookUpModel } from '../../src/core/tokens/modelTable';
import { WhatIfRun } from '../../src/core/whatIf/whatIf';
import { decoderTools } from '../../src/node/databases/database';
import { decodeText } from '../../src/node/files/decodeText';
import { openFile } from '../../src/node/files/fileByteSource';
import { hashText } from '../../src/node/files/hashText';
import { credentialScanner } from '../../src/node/secrets/secretScannerOnDemand';
import { siblingFilesOf } from '../../src/node/sessions/siblingFiles';
import { agentNamed, type VariedAgent, type Variation, withProtect20 } from './agents';
import { isArray, numberAt, parseJson, stringAt } from '../../src/core/base/json';
import { type CacheServer, startCacheServer } from './cacheServer';
import { ledgerScript } from './ledgerServer';

/** The work that the scripted model does, the same in every run of the script. */
export interface Script {
  readonly name: string;
  /** Number of files read in each prompt. */
  readonly reads: readonly number[];
  /** Lines of each file. */
  readonly lines: number;
  /** Minutes before each prompt. */
  readonly pauses: readonly number[];
  /** True if opencode's server takes the prompts: its program for one prompt ends before it prunes. */
  readonly isServed?: true;
}

export interface FinishedRun {
  readonly session: CacheSession;
  readonly parts: Session['summary']['parts'];
  readonly agent: string;
}

/**
 * Runs an agent through a script, or opens what an earlier run left in the folder. Rejects if the agent leaves no session
 * or plays fewer steps.
 */
export async function runScript(
  agent: VariedAgent,
  variation: Variation,
  script: Script,
  folder: string,
): Promise<FinishedRun> {
  if (!existsSync(join(folder, 'offsets.json'))) {
    await makeRun(agent, variation, script, folder);
  }
  return openedRun(folder);
}

async function makeRun(
  agent: VariedAgent,
  variation: Variation,
  script: Script,
  folder: string,
): Promise<void> {
  const under = agentNamed(agent.name);
  const { program, path } = install(under);
  const [home, work] = [join(folder, 'home'), join(folder, 'shop')];
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  mkdirSync(work);
  const server = await startCacheServer(work, variation);
  try {
    const ledger = join(folder, 'ledger.cjs');
    writeFileSync(ledger, ledgerScript);
    if (variation.memoryTokens !== 0) {
      writeFileSync(join(work, agent.memoryFile), words(variation.memoryTokens ?? 200, 'memory'));
    }
    const steps = script.reads.map((count, prompt) =>
      Array.from({ length: count }, (_, read): readonly Wish[] => {
        const name = `part-${prompt}-${read}.txt`;
        writeFileSync(join(work, name), lines(script.lines, `${script.name} ${name}`));
        return [
          agent.reads === 'shell' ? { tool: 'shell', text: `cat ${name}` } : { tool: 'read', text: name },
        ];
      }),
    );
    for (const [name, text] of Object.entries(agent.files(server.url, variation, ledger))) {
      mkdirSync(dirname(join(home, name)), { recursive: true });
      writeFileSync(join(home, name), text);
    }
    const used = variation.prune === 20_000 ? withProtect20(program) : program;
    const output: string[] = [];
    const environment = {
      ...environmentOf(under, { path, home, url: server.url }),
      ...agent.environment(server.url, variation),
    };
    const served = script.isServed === true ? await ServedAgent.start(used, work, environment) : undefined;
    try {
      for (const [prompt, calls] of steps.entries()) {
        server.play(calls, script.pauses[prompt] ?? 0);
        const text = `Please work on part ${prompt + 1} of the list.`;
        const command = prompt === 0 ? under.first(text) : under.resume(text);
        output.push(
          served === undefined
            ? await run(used, agent.words(command, home, variation), work, environment)
            : await served.prompt(text),
        );
      }
    } finally {
      served?.stop();
    }
    const planned = steps.reduce((sum, calls) => sum + calls.length + 1, 0);
    if (server.counted.length < planned) {
      throw new Error(
        `${agent.name} played ${server.counted.length} of ${planned} steps: ${output.join('\n').slice(-800)}`,
      );
    }
    // The last file that is written: it says that the run is whole.
    writeFileSync(join(folder, 'offsets.tmp'), JSON.stringify(server.offsets));
    renameSync(join(folder, 'offsets.tmp'), join(folder, 'offsets.json'));
  } finally {
    await server.stop();
  }
}

/** How long opencode's server has to prune after a prompt, in milliseconds. A person takes longer, too. */
const pruningTime = 2000;

/** A session in opencode's server, which prunes after a prompt has ended. */
class ServedAgent {
  private constructor(
    private readonly child: ChildProcess,
    private readonly session: string,
  ) {}

  /** Rejects if the server does not start. */
  static async start(
    program: string,
    folder: string,
    environment: Readonly<Record<string, string>>,
  ): Promise<ServedAgent> {
    const child = spawn(program, ['serve', '--port', '0'], {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const url = await new Promise<string>((done, fail) => {
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        const found = /listening on (http:\S+)/.exec(output)?.[1];
        if (found !== undefined) {
          done(found);
        }
      });
      child.on('exit', () => fail(new Error(`opencode's server ended: ${output}`)));
    });
    const response = await fetch(`${url}/session`, post({}));
    return new ServedAgent(child, `${url}/session/${stringAt(parseJson(await response.text()), 'id') ?? ''}`);
  }

  /** Sends a prompt and waits for the end of the turn, and for the pruning after it. */
  async prompt(text: string): Promise<string> {
    const response = await fetch(`${this.session}/message`, post({ parts: [{ type: 'text', text }] }));
    const answer = await response.text();
    await setTimeout(pruningTime);
    return answer;
  }

  stop(): void {
    // It may go on for long after a polite signal.
    this.child.kill('SIGKILL');
  }
}

const post = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Opens the session with the most requests, and moves its times by the server's clock. */
async function openedRun(folder: string): Promise<FinishedRun> {
  const offsets = readOffsets(readFileSync(join(folder, 'offsets.json'), 'utf8'));
  const home = join(folder, 'home');
  let best: Session | undefined;
  for (const path of sessionsBelow(home)) {
    const source = await openFile(path);
    try {
      const opened = await openTranscript(source, {
        fileName: '',
        scanner: credentialScanner,
        decodeText,
        hashText,
        labels: false,
        countWhileReading: true,
        mayGrow: false,
        tools: decoderTools,
        siblings: siblingFilesOf(path),
      });
      if (opened.ok) {
        const session = opened.session.toSession();
        const count = session.columns.requests.thread.length;
        best = count > (best?.columns.requests.thread.length ?? 0) ? session : best;
      }
    } finally {
      await source.close();
    }
  }
  if (best === undefined) {
    throw new Error('No session was left.');
  }
  const { timestamp } = best.columns.requests;
  timestamp.forEach((time, request) => {
    timestamp[request] = time + (offsets.findLast(({ from }) => from <= time)?.milliseconds ?? 0);
  });
  return { session: new CacheSession(best), parts: best.summary.parts, agent: best.summary.agent.name };
}

function readOffsets(text: string): CacheServer['offsets'] {
  const value = parseJson(text);
  return (isArray(value) ? value : []).map(entry => ({
    from: numberAt(entry, 'from') ?? 0,
    milliseconds: numberAt(entry, 'milliseconds') ?? 0,
  }));
}

/** What can be asked of a run. */
export function whatIfOf({ session, parts, agent }: FinishedRun): WhatIfRun {
  return new WhatIfRun(session, { parts, agent, lookUp: lookUpModel });
}

const vocabulary =
  'order stock price shelf north south river green paper round small large first seventh count check ledger total month'.split(
    ' ',
  );

/** Words of about this many tokens. */
export function words(tokens: number, seed: string): string {
  const random = randomOf(seed);
  return `${Array.from({ length: tokens }, () => vocabulary[Math.floor(random() * vocabulary.length)] ?? '').join(' ')}\n`;
}

function lines(count: number, seed: string): string {
  const random = randomOf(seed);
  return Array.from(
    { length: count },
    (_, line) => `${line} ${words(8, `${seed} ${line}`).trim()} ${Math.floor(random() * 1e6)}\n`,
  ).join('');
}

function randomOf(seed: string): () => number {
  let state = Array.from(seed).reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), 7) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
