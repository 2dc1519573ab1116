import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { arrayAt, isObject, member, objectAt, parseJson, stringAt } from '../../src/core/base/json';
import { handedItems } from '../../test/fixtures/handedItems';
import { compareBlocks } from '../../test/fixtures/openedTranscript';
import { sentItems } from '../../test/fixtures/sentRequests';
import { run } from '../agents/main';
import { firstRequest, type PreparedHandOff, prompt, receiverOf, withHandOff } from './receivers';

/** How the texts of a session came through the importer. */
interface Imported {
  /** Blocks of our hand-off, and those of them that were sent in the same form. */
  readonly blocks: number;
  readonly same: number;
  /** Prompts, replies and results, and those of them whose text was sent whole in any form. */
  readonly texts: number;
  readonly whole: number;
  /** Calls and images of the hand-off, and those that were sent as such. */
  readonly calls: number;
  readonly sentCalls: number;
  readonly images: number;
  readonly sentImages: number;
}

/** Codex imports sessions of Claude Code itself and resumes them; compared with what our hand-off gives it. */
export async function measureImporter(files: readonly string[]): Promise<void> {
  const all: Imported[] = [];
  for (const file of files) {
    const imported = await withHandOff(file, receiverOf('codex'), undefined, prepared =>
      importedBlocks(file, prepared),
    );
    console.log(basename(file), typeof imported === 'string' ? imported : JSON.stringify(imported));
    if (typeof imported !== 'string') {
      all.push(imported);
    }
  }
  const sum = (figure: keyof Imported): number => all.reduce((before, each) => before + each[figure], 0);
  console.log(
    `${all.length} sessions: ${sum('same')} of ${sum('blocks')} blocks in the same form, ${sum('whole')} of ${sum('texts')} texts whole, ${sum('sentCalls')} of ${sum('calls')} calls, ${sum('sentImages')} of ${sum('images')} images`,
  );
}

async function importedBlocks(file: string, prepared: PreparedHandOff): Promise<Imported | string> {
  const { planned, work, program, environment, server } = prepared;
  const id = await importedId(file, prepared);
  if (id === undefined) {
    return 'not imported';
  }
  const [{ resume }] = receiverOf('codex');
  const output = await run(program, resume({ id, path: '' }, prompt), work, environment);
  const request = firstRequest(server);
  if (request === undefined) {
    return `sent nothing: ${output.slice(-300)}`;
  }
  const sent = sentItems(request.body);
  const expected = planned.parts.flatMap(handedItems);
  const { matched } = compareBlocks(sent, expected);
  const texts = planned.parts.flatMap(({ part, reason }) =>
    (part.kind === 'text' && reason === undefined) || part.kind === 'result' ? [part.text.trim()] : [],
  );
  const count = (items: readonly string[], beginning: string): number =>
    items.filter(item => item.startsWith(beginning)).length;
  return {
    blocks: expected.length,
    same: matched,
    texts: texts.length,
    whole: texts.filter(text => sent.some(item => item.includes(text))).length,
    calls: count(expected, 'assistant calls '),
    sentCalls: count(sent, 'assistant calls '),
    images: count(expected, 'image: '),
    sentImages: count(sent, 'image: '),
  };
}

/** The id of the session that the importer makes of a session of Claude Code; undefined if it does not take it. */
async function importedId(
  file: string,
  { home, work, program, environment }: PreparedHandOff,
): Promise<string | undefined> {
  // The importer lists sessions of folders that exist.
  const text = readFileSync(file, 'utf8').replaceAll(/"cwd":"[^"]*"/g, () => `"cwd":${JSON.stringify(work)}`);
  const folder = join(home, '.claude', 'projects', work.replaceAll(/[^a-zA-Z0-9]/g, '-'));
  mkdirSync(folder, { recursive: true });
  const id = /"sessionId":"(?<id>[^"]+)"/.exec(text)?.groups?.['id'] ?? 'session';
  writeFileSync(join(folder, `${id}.jsonl`), text);
  const server = spawn(program, ['app-server'], {
    cwd: work,
    env: environment,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const answers = createInterface({ input: server.stdout });
  const ask = (id: number, method: string, params: object): void => {
    server.stdin.write(`${JSON.stringify({ id, method, params })}\n`);
  };
  try {
    ask(1, 'initialize', { clientInfo: { name: 'research', title: 'research', version: '1' } });
    for await (const line of answers) {
      const answer = parseJson(line);
      if (member(answer, 'id') === 1) {
        server.stdin.write(`${JSON.stringify({ method: 'initialized' })}\n`);
        ask(2, 'externalAgentConfig/detect', { includeHome: true, cwds: [work], maxSessionAgeDays: 36_500 });
      } else if (member(answer, 'id') === 2) {
        const items = arrayAt(objectAt(answer, 'result'), 'items').filter(
          item => stringAt(item, 'itemType') === 'SESSIONS',
        );
        if (items.length === 0) {
          return undefined;
        }
        ask(3, 'externalAgentConfig/import', { migrationItems: items });
      } else if (stringAt(answer, 'method') === 'externalAgentConfig/import/completed') {
        return arrayAt(objectAt(answer, 'params'), 'itemTypeResults')
          .flatMap(result => arrayAt(result, 'successes'))
          .filter(isObject)
          .map(success => stringAt(success, 'target'))
          .find(target => target !== undefined);
      }
    }
    return undefined;
  } finally {
    answers.close();
    server.kill();
  }
}
