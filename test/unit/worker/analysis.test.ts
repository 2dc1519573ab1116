import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it, mock } from 'node:test';
import { numberAt, objectAt, stringAt } from '../../../src/core/base/json';
import type { Session, SessionColumns } from '../../../src/core/model/columns';
import { defaultPruneOptions } from '../../../src/core/model/pruneConfig';
import type { SecretScanner } from '../../../src/core/sensitivity/scanner';
import { measureTexts } from '../../../src/core/session/measureTexts';
import { openTranscript } from '../../../src/core/session/openTranscript';
import { MeasureCache } from '../../../src/node/threads/measureCache';
import { applyUpdate } from '../../../src/protocol/columnUpdate';
import { unpackColumns } from '../../../src/protocol/packedColumns';
import type { FromWorkerMessage } from '../../../src/protocol/workerMessages';
import type { WorkerQuestion } from '../../../src/protocol/workerQuestions';
import { Analysis, type AnalysisTools } from '../../../src/worker/analysis';
import { ClaudeCodeSession, sourceText } from '../../fixtures/claudeCodeSession';
import { until } from '../../fixtures/until';

const noSecrets: SecretScanner = { scan: () => Promise.resolve([]) };

function sessionAfter(
  before: (Session & { readonly revision: number }) | undefined,
  message: FromWorkerMessage,
): Session & { readonly revision: number } {
  if (message.type === 'session') {
    const { revision, summary, columns } = message;
    return { revision, summary, columns: unpackColumns(columns) };
  }
  assert.ok(message.type === 'update' && before !== undefined, JSON.stringify(message));
  assert.equal(message.revision, before.revision + 1);
  return {
    revision: message.revision,
    summary: { ...before.summary, ...message.summary },
    columns: applyUpdate(before.columns, message.columns),
  };
}

/** The columns with the strings themselves, because the indices depend on the order of arrival. */
function withTexts({ strings, blocks, requests, ...others }: SessionColumns): unknown {
  const textsOf = (column: Uint32Array): readonly string[] =>
    [...column].map(index => strings.at(index) ?? '');
  const { label, tool, callId, path } = blocks;
  return {
    ...others,
    blocks: { ...blocks, ...mapValues({ label, tool, callId, path }, textsOf) },
    requests: { ...requests, model: textsOf(requests.model) },
  };
}

function mapValues(columns: Readonly<Record<string, Uint32Array>>, map: (column: Uint32Array) => unknown) {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, map(column)]));
}

/** True if a cache file is complete. */
const isEntry = (name: string): boolean => !name.endsWith('.part');

/** An analysis whose messages can be awaited one after the other; progress is left out. */
class Listener {
  readonly analysis: Analysis;
  session: (Session & { readonly revision: number }) | undefined;
  private readonly messages: FromWorkerMessage[] = [];
  private wake: () => void = () => undefined;
  /** Called with each shown session. */
  shown: () => void = () => undefined;

  constructor(scanner: SecretScanner = noSecrets, cache?: MeasureCache, tools: Partial<AnalysisTools> = {}) {
    this.analysis = new Analysis({
      openTranscript,
      scanner,
      cache,
      ...tools,
      post: (message, transfer = []) => {
        // A worker's port would transfer the buffers, and using one again would fail there.
        const received = structuredClone(message, { transfer: [...transfer] });
        if (received.type !== 'progress') {
          this.messages.push(received);
          this.wake();
          this.shown();
        }
      },
    });
  }

  async next(): Promise<FromWorkerMessage> {
    for (;;) {
      const message = this.messages.shift();
      if (message !== undefined) {
        return message;
      }
      await new Promise<void>(resolve => {
        this.wake = resolve;
      });
    }
  }

  /** The messages up to and including a final session, in short form. `session` is the state of a page at that time. */
  async untilFinal(): Promise<readonly string[]> {
    const seen: string[] = [];
    for (;;) {
      const message = await this.next();
      this.session = sessionAfter(this.session, message);
      assert.ok(message.type === 'session' || message.type === 'update');
      seen.push(`${message.type}: ${message.columns.blockCount} blocks, ${message.pending ?? 'final'}`);
      if (message.pending === undefined) {
        return seen;
      }
    }
  }

  async ask(question: WorkerQuestion): Promise<unknown> {
    this.analysis.handle({ type: 'question', id: 7, question });
    const message = await this.next();
    assert.ok(message.type === 'answer' && message.id === 7);
    return message.ok ? message.value : message.sentence;
  }
}

describe('the analysis of a transcript', () => {
  let folder = '';
  let path = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'analysis-'));
    path = join(folder, 'session.jsonl');
  });
  after(() => rm(folder, { recursive: true }));
  const session = (read = 'export const price = 12;'): ClaudeCodeSession =>
    new ClaudeCodeSession()
      .prompt('Why is the price wrong?')
      .reply({ tool: 'Read', id: 'toolu_1', input: { file_path: '/home/ada/bookshop/price.ts' } })
      .result('toolu_1', read);

  it('takes what the user says of models, and shows the session again without reading the file', async () => {
    await writeFile(path, session().toString());
    const listener = new Listener();
    const windowsOf = async (): Promise<readonly number[]> => {
      assert.deepStrictEqual(await listener.untilFinal(), ['update: 3 blocks, final']);
      return [...(listener.session?.columns.requests.window ?? [])];
    };
    listener.analysis.handle({ type: 'open', fileName: 'session.jsonl', input: { kind: 'file', path } });
    await listener.untilFinal();
    await rm(path);
    const models = { 'claude-sonnet-4-5': { contextWindow: 345_678 } };
    listener.analysis.handle({ type: 'models', models });
    assert.deepStrictEqual(await windowsOf(), [345_678]);
    listener.analysis.handle({ type: 'models', models: {} });
    assert.deepStrictEqual(await windowsOf(), [200_000]);
  });

  it('tells the stability of a request, with the fingerprint of its stable prefix', async () => {
    await writeFile(path, session().prompt('And now?').reply({ text: 'Done.' }).toString());
    const listener = new Listener();
    listener.analysis.handle({ type: 'open', fileName: 'session.jsonl', input: { kind: 'file', path } });
    await listener.untilFinal();
    const answer = await listener.ask({ name: 'stability', params: { request: 1, planner: 'own' } });
    const report = objectAt(answer, 'report');
    // Both requests have only the first prompt in common.
    assert.equal(numberAt(report, 'stablePrefixBlocks'), 1);
    const key = JSON.stringify(['user-0', 'user', 'text', 'Why is the price wrong?']);
    assert.equal(stringAt(answer, 'fingerprint'), `sha256:${createHash('sha256').update(key).digest('hex')}`);
    assert.equal(
      await listener.ask({ name: 'stability', params: { request: 2, planner: 'own' } }),
      'Request 3 does not exist.',
    );
  });

  it('shows a file at once, then counted and scanned', async () => {
    await writeFile(path, session().toString());
    const listener = new Listener();
    listener.analysis.handle({ type: 'open', fileName: 'session.jsonl', input: { kind: 'file', path } });
    assert.deepStrictEqual(await listener.untilFinal(), [
      'session: 3 blocks, measuring',
      'update: 3 blocks, final',
    ]);
    assert.deepStrictEqual([...(listener.session?.columns.blocks.counted ?? [])], [1, 1, 1]);
  });

  it('sends all of it once more to a page that asks', async () => {
    await writeFile(path, session().toString());
    const listener = new Listener();
    listener.analysis.handle({ type: 'show' });
    listener.analysis.handle({ type: 'open', fileName: 'session.jsonl', input: { kind: 'file', path } });
    await listener.untilFinal();
    const before = listener.session;
    listener.session = undefined;
    listener.analysis.handle({ type: 'show' });
    assert.deepStrictEqual(await listener.untilFinal(), ['session: 3 blocks, final']);
    assert.deepStrictEqual(listener.session, before);
  });

  it('sends of a file that has grown what it has got, and of one that has shrunk all', async () => {
    const text = session();
    for (let turn = 0; turn < 100; turn++) {
      text.prompt(`Question ${turn}`).reply({ text: `Answer ${turn}` });
    }
    await writeFile(path, text.toString());
    const listener = new Listener();
    const open = { type: 'open', fileName: 'session.jsonl', input: { kind: 'file', path } } as const;
    listener.analysis.handle(open);
    await listener.untilFinal();
    await writeFile(path, text.prompt('And shipping?').reply({ text: 'Left out.' }).toString());
    listener.analysis.handle(open);
    const message = await listener.next();
    assert.ok(message.type === 'update');
    const rowsOf = (column: string): readonly (readonly number[])[] =>
      message.columns.changes
        .filter(change => change.column === `blocks.${column}`)
        .map(({ row, bytes }) => [row, bytes]);
    // 3 blocks of the first turn and 200 of the others; two more, of 4 bytes each in `tokens` and of 1 in `role`. The
    // last reply before is the first block with other `tokens`, because the next request shows its cost.
    assert.deepStrictEqual([rowsOf('tokens'), rowsOf('role')], [[[202, 12]], [[203, 2]]]);
    const grown = sessionAfter(listener.session, message);
    const again = new Listener();
    again.analysis.handle(open);
    await again.untilFinal();
    assert.ok(again.session !== undefined);
    assert.deepStrictEqual(withTexts(grown.columns), withTexts(again.session.columns));
    await writeFile(path, session().toString());
    listener.analysis.handle(open);
    assert.deepStrictEqual(await listener.untilFinal(), ['session: 3 blocks, final']);
  });

  it('keeps measures on disk, without a word of the transcript, and begins with them the next time', async () => {
    const secret = ['Kp3Tz8', 'Yb5Nc1'].join('');
    const text = session();
    for (let turn = 0; turn < 60; turn++) {
      text.prompt(`Question ${turn} `.repeat(400)).reply({ text: `Answer ${turn}` });
    }
    text.prompt(`login ${secret}`).reply({ text: 'Done.' });
    const large = join(folder, 'large.jsonl');
    await writeFile(large, text.toString());
    const cacheFolder = join(folder, 'measures');
    let scanned = 0;
    const scanner: SecretScanner = {
      scan: content => {
        scanned += 1;
        const start = content.indexOf(secret);
        return Promise.resolve(
          start < 0
            ? []
            : [{ rule: 'r', label: 'restricted', message: 'm', start, end: start + secret.length }],
        );
      },
    };
    const opened = async (
      measures = cacheFolder,
    ): Promise<{ readonly first: Session; readonly last: Session }> => {
      scanned = 0;
      const listener = new Listener(scanner, new MeasureCache(measures, '1.0.0'));
      listener.analysis.handle({
        type: 'open',
        fileName: 'large.jsonl',
        input: { kind: 'file', path: large },
      });
      const first = sessionAfter(undefined, await listener.next());
      let last = first;
      for (let message = await listener.next(); ; message = await listener.next()) {
        last = sessionAfter(last, message);
        if (message.type === 'update' && message.pending === undefined) {
          return { first, last };
        }
      }
    };
    const isCounted = ({ columns }: Session): boolean => columns.blocks.counted.every(value => value === 1);
    const before = await opened();
    // 3 blocks, 60 turns and the last one, of two blocks each, and the title, which is in no block.
    assert.deepStrictEqual([isCounted(before.first), isCounted(before.last), scanned], [false, true, 126]);
    await until('the measures are kept', async () =>
      (await readdir(cacheFolder).catch(() => [])).some(isEntry),
    );
    const kept = await readFile(join(cacheFolder, (await readdir(cacheFolder)).find(isEntry) ?? ''));
    for (const word of [secret, 'Question', 'login', 'large.jsonl', 'price']) {
      assert.equal(kept.includes(word), false, word);
    }
    const again = await opened();
    // Texts with findings are scanned again, because their labels are masked by them.
    assert.deepStrictEqual([isCounted(again.first), scanned], [true, 2]);
    assert.deepStrictEqual(withTexts(again.last.columns), withTexts(before.last.columns));
    assert.equal(
      [...again.last.columns.strings].some(string => string.includes(secret)),
      false,
    );
    // The folder itself may still be written to.
    assert.equal(isCounted((await opened(join(folder, 'no measures'))).first), false);
  });

  it('starts a helper while a large file is read for the first time, and ends it', async () => {
    const text = session();
    for (let turn = 0; turn < 300; turn++) {
      text.prompt(`Question ${turn} `.repeat(1000)).reply({ text: `Answer ${turn}` });
    }
    const large = join(folder, 'helped.jsonl');
    await writeFile(large, text.toString());
    const cache = new MeasureCache(join(folder, 'helped'), '1.0.0');
    const openedWith = async (path: string): Promise<readonly string[]> => {
      const seen: string[] = [];
      const listener = new Listener(noSecrets, cache, {
        openTranscript: async (...words) => {
          const opened = await openTranscript(...words);
          seen.push('read');
          return opened;
        },
        helping: {
          leastBytes: 2 ** 21,
          start: () => {
            seen.push('started');
            return {
              isReady: true,
              measure: order => {
                seen.push('measured');
                return measureTexts(order, noSecrets);
              },
              close: () => Promise.resolve(void seen.push('ended')),
            };
          },
        },
      });
      listener.analysis.handle({ type: 'open', fileName: 'helped.jsonl', input: { kind: 'file', path } });
      assert.equal((await listener.untilFinal()).at(-1)?.endsWith('final'), true);
      await until('the helper ends', () => !seen.includes('started') || seen.at(-1) === 'ended');
      return [...new Set(seen)];
    };
    assert.deepEqual(await openedWith(large), ['started', 'read', 'measured', 'ended']);
    // Its measures are known now.
    assert.deepEqual(await openedWith(large), ['read']);
    await writeFile(path, session().toString());
    assert.deepEqual(await openedWith(path), ['read'], 'a small file');
    await rm(join(folder, 'helped'), { recursive: true });
  });

  it('shows better figures meanwhile only where the final ones are not near', async () => {
    const text = session();
    for (let turn = 0; turn < 60; turn++) {
      text.prompt(`Question ${turn} `.repeat(400)).reply({ text: `Answer ${turn}` });
    }
    await writeFile(path, text.toString());
    mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 6) });
    try {
      const updatesAt = async (millisecondsPerText: number, millisecondsToShow = 0): Promise<number> => {
        const slow: SecretScanner = {
          scan: () => {
            mock.timers.tick(millisecondsPerText);
            return Promise.resolve([]);
          },
        };
        const listener = new Listener(slow);
        listener.shown = () => mock.timers.tick(millisecondsToShow);
        listener.analysis.handle({
          type: 'open',
          fileName: 'session.jsonl',
          input: { kind: 'file', path },
        });
        return (await listener.untilFinal()).filter(shown => shown.startsWith('update')).length;
      };
      // Of 126 texts, which take 400 milliseconds and two seconds.
      assert.deepEqual([await updatesAt(3.2), await updatesAt(16)], [1, 3]);
      // Showing takes time too, which would delay the final figures.
      assert.deepEqual([await updatesAt(16, 100), await updatesAt(16, 1000)], [2, 1]);
    } finally {
      mock.timers.reset();
    }
  });

  it('says that the record of a database is no text', async () => {
    const path = resolve('test/fixtures/sqlite/opencode.db');
    const database = new Listener();
    database.analysis.handle({ type: 'open', fileName: 'opencode.db', input: { kind: 'file', path } });
    await database.untilFinal();
    assert.equal(
      await database.ask({ name: 'record', params: { block: 0 } }),
      'Database records cannot be shown as text.',
    );
  });

  it('shows a file that has grown once, with final figures', async () => {
    await writeFile(path, session().toString());
    const listener = new Listener();
    const open = { type: 'open', fileName: 'session.jsonl', input: { kind: 'file', path } } as const;
    listener.analysis.handle(open);
    await listener.untilFinal();
    await writeFile(path, session().reply({ text: 'It leaves out the shipping.' }).toString());
    listener.analysis.handle(open);
    assert.deepStrictEqual(await listener.untilFinal(), ['update: 4 blocks, final']);
  });

  it('reads bytes that were handed to it', async () => {
    const bytes = new Uint8Array(new TextEncoder().encode(session().toString()));
    const listener = new Listener();
    listener.analysis.handle({ type: 'open', fileName: 'session.jsonl', input: { kind: 'bytes', bytes } });
    assert.equal((await listener.untilFinal()).at(-1), 'update: 3 blocks, final');
  });

  it('opens a database with what is still in its log', async () => {
    const database = resolve('test/fixtures/sqlite/opencode.db');
    const listener = new Listener();
    listener.analysis.handle({
      type: 'open',
      fileName: 'opencode.db',
      input: { kind: 'file', path: database },
    });
    // Two prompts and a reply; without the log, one prompt.
    assert.equal((await listener.untilFinal()).at(-1), 'update: 3 blocks, final');
  });

  it('answers from the file, and refuses in words', async () => {
    const text = session();
    await writeFile(path, text.toString());
    const listener = new Listener();
    assert.equal(
      await listener.ask({ name: 'rendered', params: { request: 0 } }),
      'The transcript has not been read yet.',
    );
    listener.analysis.handle({ type: 'open', fileName: 'session.jsonl', input: { kind: 'file', path } });
    // A page may ask at once what an earlier thread could have answered.
    listener.analysis.handle({
      type: 'question',
      id: 8,
      question: { name: 'rendered', params: { request: 0 } },
    });
    let message = await listener.next();
    for (; message.type !== 'answer'; message = await listener.next()) {
      assert.ok(message.type === 'session' || message.type === 'update');
    }
    assert.ok(message.ok, 'it waited for the first reading');
    listener.analysis.handle({ type: 'show' });
    await listener.untilFinal();
    const [first = '', second = '', third = ''] = text.lines;
    assert.deepStrictEqual(await listener.ask({ name: 'place', params: { block: 2 } }), {
      line: 3,
      offset: Buffer.byteLength(first) + Buffer.byteLength(second) + 2,
      length: Buffer.byteLength(third),
      path: '/home/ada/bookshop/price.ts',
      workingDirectory: '/home/ada/bookshop',
    });
    assert.equal(await listener.ask({ name: 'record', params: { block: 2 } }), third);
    assert.equal(await listener.ask({ name: 'place', params: { block: 3 } }), 'Block 3 does not exist.');
  });

  it('says why it shows nothing', async () => {
    const listener = new Listener();
    const sentenceFor = async (text: string | undefined): Promise<string> => {
      const file = join(folder, text === undefined ? 'missing.jsonl' : 'other.jsonl');
      if (text !== undefined) {
        await writeFile(file, text);
      }
      listener.analysis.handle({
        type: 'open',
        fileName: 'other.jsonl',
        input: { kind: 'file', path: file },
      });
      const message = await listener.next();
      return message.type === 'failed' ? message.sentence : message.type;
    };
    assert.equal(await sentenceFor(undefined), 'The file does not exist.');
    assert.equal(await sentenceFor(''), 'This file is empty.');
    assert.match(await sentenceFor('{"name":"bookshop","version":"1.0.0"}'), /\.$/);
  });

  it('says nothing of a name that cannot be opened, which may have a credential in it', async () => {
    const listener = new Listener();
    const invented = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    listener.analysis.handle({
      type: 'open',
      fileName: 'other.jsonl',
      input: { kind: 'file', path: join(folder, `${invented}.${'x'.repeat(300)}`) },
    });
    const message = await listener.next();
    assert.ok(message.type === 'failed');
    assert.equal(message.sentence, 'The file cannot be read: its name is too long.');
  });

  it('leaves credentials out of an error that quotes the file', async () => {
    const listener = new Listener(noSecrets, undefined, {
      openTranscript: async source => {
        const text = new TextDecoder().decode(await source.read(0, source.size));
        throw new Error(`This is not a number: ${text}`);
      },
    });
    const invented = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    const file = join(folder, 'quoted.jsonl');
    await writeFile(file, invented);
    listener.analysis.handle({
      type: 'open',
      fileName: 'quoted.jsonl',
      input: { kind: 'file', path: file },
    });
    const message = await listener.next();
    assert.ok(message.type === 'failed');
    assert.match(message.sentence, /^This is not a number: \[redacted: [^\]]+\]$/);
  });

  it('sends the whole session again after a reading that failed', async () => {
    await writeFile(path, session().toString());
    let failures = 1;
    const scan = (): Promise<readonly []> => {
      failures -= 1;
      return failures < 0 ? Promise.resolve([]) : Promise.reject(new Error('The file has changed.'));
    };
    const listener = new Listener({ scan });
    const open = { type: 'open', fileName: 'session.jsonl', input: { kind: 'file', path } } as const;
    const typesOf = async (count: number): Promise<readonly string[]> => {
      listener.analysis.handle(open);
      const types: string[] = [];
      while (types.length < count) {
        types.push((await listener.next()).type);
      }
      return types;
    };
    // It fails after the session was shown for the first time, as when the file is emptied while it is counted.
    assert.deepStrictEqual(await typesOf(2), ['session', 'failed']);
    await writeFile(path, session().prompt('And now?').toString());
    assert.deepStrictEqual(await typesOf(2), ['session', 'update']);
    await rm(path);
    assert.deepStrictEqual(await typesOf(1), ['failed']);
    await writeFile(path, session().toString());
    assert.deepStrictEqual(await typesOf(2), ['session', 'update']);
  });

  it('lets go of a file that is no transcript any more', { skip: process.platform !== 'linux' }, async () => {
    const file = join(folder, 'replaced.jsonl');
    const isOpen = (): boolean =>
      readdirSync('/proc/self/fd').some(descriptor => {
        try {
          return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(file);
        } catch {
          return false;
        }
      });
    const listener = new Listener();
    const open = (): void =>
      listener.analysis.handle({
        type: 'open',
        fileName: 'replaced.jsonl',
        input: { kind: 'file', path: file },
      });
    await writeFile(file, session().toString());
    open();
    await listener.untilFinal();
    assert.ok(isOpen());
    await writeFile(file, '{"name":"bookshop"}');
    open();
    assert.equal((await listener.next()).type, 'failed');
    await until('the file is closed', () => !isOpen());
  });

  it('writes what there was when an export began, however often the file grows meanwhile', async () => {
    let release: () => void = () => undefined;
    let isHeld = false;
    const listener = new Listener({
      scan: async () => {
        if (isHeld) {
          isHeld = false;
          await new Promise<void>(resolve => {
            release = resolve;
          });
        }
        return [];
      },
    });
    const text = session(sourceText(1, 6_000))
      .reply({ text: 'It is net.' })
      .prompt('Fix it')
      .reply({ text: 'Fixed.' })
      .prompt('Thanks')
      .reply({ text: 'Welcome.' });
    await writeFile(path, text.toString());
    const open = (): void =>
      listener.analysis.handle({ type: 'open', fileName: 'session.jsonl', input: { kind: 'file', path } });
    open();
    await listener.untilFinal();
    for (const form of ['html', 'prunedCopy'] as const) {
      const written = join(folder, `grown-${form}`);
      isHeld = true;
      listener.analysis.handle({
        type: 'question',
        id: 8,
        question: {
          name: 'export',
          params: {
            form,
            request: 3,
            options: { ...defaultPruneOptions(), enabled: true, protectTokens: 0, minimumTokens: 0 },
            colour: 'cache',
            level: 'redacted',
            path: written,
            overwrite: false,
            notOver: path,
          },
        },
      });
      await until('the export scans', () => !isHeld);
      for (let times = 0; times < 3; times += 1) {
        const before = text.toString().length;
        await appendFile(path, text.prompt(`And ${form} ${times}?`).toString().slice(before));
        open();
        await listener.untilFinal();
      }
      release();
      const answer = await listener.next();
      assert.ok(answer.type === 'answer' && answer.id === 8 && answer.ok, JSON.stringify(answer));
      assert.ok((await readFile(written, 'utf8')).length > 0);
    }
  });

  it('forgets a reading when another begins', async () => {
    await writeFile(path, session().toString());
    const listener = new Listener();
    const other = new TextEncoder().encode(new ClaudeCodeSession().prompt('Hello').toString());
    listener.analysis.handle({ type: 'open', fileName: 'session.jsonl', input: { kind: 'file', path } });
    listener.analysis.handle({
      type: 'open',
      fileName: 'session.jsonl',
      input: { kind: 'bytes', bytes: new Uint8Array(other) },
    });
    const seen = await listener.untilFinal();
    assert.deepStrictEqual(
      new Set(seen.map(text => text.split(',')[0])),
      new Set(['session: 1 blocks', 'update: 1 blocks']),
    );
  });
});
