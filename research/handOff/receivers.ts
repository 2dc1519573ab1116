import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HandOff, handOff } from '../../src/core/handOff/handOff';
import type { HandOffTarget } from '../../src/core/handOff/targets';
import { defaultPruneOptions, type pruneRuleSets } from '../../src/core/model/pruneConfig';
import type { TranscriptSession } from '../../src/core/session/transcriptSession';
import { openFile } from '../../src/node/files/fileByteSource';
import { openOnDisk } from '../../src/node/sessions/openOnDisk';
import { sentItems } from '../../test/fixtures/sentRequests';
import { agentsUnderTest, type AgentUnderTest, writeSettings } from '../agents/agents';
import { environmentOf, install } from '../agents/main';
import { files, prompts } from '../agents/scenario';
import { type ReceivedRequest, type ScriptedServer, startServer } from '../agents/server';

export interface Receiver {
  /** Its name in `agentsUnderTest`. */
  readonly agent: string;
  readonly target: HandOffTarget;
  /** The model of the figures. */
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
    model: 'gpt-5.5',
    folder: 'handed',
    adds: path => ['import', path],
    resume: ({ id }, prompt) => ['run', '--model', 'local/scripted', '--session', id, prompt],
  },
  {
    agent: 'pi',
    target: 'pi',
    model: 'gpt-5.5',
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

/** The prompt after the hand-off. */
export const prompt = prompts.at(-1) ?? '';

export function receiverOf(name: string): readonly [Receiver, AgentUnderTest] {
  const receiver = receivers.find(({ agent }) => agent === name);
  const agent = agentsUnderTest.find(known => known.name === name);
  if (receiver === undefined || agent === undefined) {
    throw new Error(`No agent named ${name}. There are: ${receivers.map(known => known.agent).join(', ')}.`);
  }
  return [receiver, agent];
}

/** A hand-off to an agent that is ready to run, in a home folder of its own. */
export interface PreparedHandOff {
  readonly planned: HandOff;
  readonly home: string;
  readonly work: string;
  readonly program: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly server: ScriptedServer;
}

/** Plans a hand-off and uses it; a sentence if there is none. */
export async function withHandOff<Result>(
  file: string,
  [{ target, model }, agent]: readonly [Receiver, AgentUnderTest],
  rules: (typeof pruneRuleSets)[number] | undefined,
  use: (prepared: PreparedHandOff) => Promise<Result>,
): Promise<Result | string> {
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
      model: resumesWithIts(session, target) ? undefined : model,
      redactWith: undefined,
      path: file,
      workingDirectory: work,
      time: Date.now(),
      newId: randomUUID,
    });
    if (!planned.ok) {
      return planned.reason;
    }
    const { program, path } = install(agent);
    const server = await startServer(work);
    try {
      writeSettings(agent, server.url, home);
      const environment = environmentOf(agent, { path, home, url: server.url });
      return await use({ planned, home, work, program, environment, server });
    } finally {
      await server.stop();
    }
  } finally {
    await source.close();
    rmSync(root, { recursive: true, force: true });
  }
}

/** True if Claude Code resumes the session with the recorded model, which is then that of the figures. */
function resumesWithIts(session: TranscriptSession, target: HandOffTarget): boolean {
  const recorded = session.transcript.requests.findLast(({ thread }) => thread === 0)?.model;
  return (
    target === 'claude-code' && recorded !== undefined && session.modelRow(recorded)?.family === 'claude'
  );
}

/** The first request of the resumed session: titles are asked for without tools. */
export const firstRequest = ({ received }: ScriptedServer): ReceivedRequest | undefined =>
  received.find(({ body }) => {
    const items = sentItems(body);
    return items.some(item => item.startsWith('tool ')) && items.some(item => item.includes(prompt));
  });
