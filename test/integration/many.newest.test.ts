import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import * as vscode from 'vscode';
import { viewType } from '../../src/host/manifest';
import { addToolTurns, ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { isDeep } from '../fixtures/variants';
import { waitUntil } from './driver';
import { test } from './index';
import {
  closeEverything,
  editorThat,
  finalEditor,
  inspectorApi,
  isAtRest,
  openAlone,
  temporaryFile,
} from './inspector';
import { appendCopies, megabyte } from './material';
import { longestHold, stallSentence, stallUnknown, worstStall } from './stall';

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** Bytes that may remain after everything was closed. */
const mostLeft = 20_000_000;

/** Threads that have sent a message since the call, while they run. */
function watchedThreads(): { readonly running: () => readonly Worker[]; readonly stop: () => void } {
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its worker below
  const { emit } = Worker.prototype;
  const seen = new Set<Worker>();
  Object.defineProperty(Worker.prototype, 'emit', {
    configurable: true,
    value(this: Worker, ...given: readonly unknown[]): unknown {
      seen.add(this);
      return Reflect.apply(emit, this, given);
    },
  });
  return {
    running: () => {
      const running = [...seen].filter(({ threadId }) => threadId !== -1);
      seen.clear();
      running.forEach(thread => seen.add(thread));
      return running;
    },
    stop: () => Reflect.deleteProperty(Worker.prototype, 'emit'),
  };
}

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

/** Bytes in use by the extension host and its threads after a collection. */
async function used(
  threads: readonly Worker[],
): Promise<{ readonly host: number; readonly workers: number }> {
  assert.ok(typeof collect === 'function');
  let host = Number.POSITIVE_INFINITY;
  // A collected object may have been the last holder of another one.
  for (let round = 0; round < 6; round += 1) {
    Reflect.apply(collect, undefined, []);
    await nextTurn();
    const { heapUsed, external } = process.memoryUsage();
    host = Math.min(host, heapUsed + external);
  }
  let workers = 0;
  for (const thread of threads) {
    // A thread that has just ended uses nothing.
    const statistics = await thread.getHeapStatistics().catch(() => undefined);
    workers += (statistics?.used_heap_size ?? 0) + (statistics?.external_memory ?? 0);
  }
  return { host, workers };
}

test('gives the memory back after a hundred transcripts, half of them open at once', async () => {
  const [count, atOnce] = isDeep ? [100, 50] : [24, 12];
  const uris = Array.from({ length: count }, (_, number) =>
    temporaryFile(
      `many-${number}.jsonl`,
      addToolTurns(new ClaudeCodeSession(), `Sort shelf ${number}`, 12, 8000).toString(),
    ),
  );
  const threads = watchedThreads();
  try {
    for (const uri of uris.slice(0, 3)) {
      await openAlone(uri);
      await finalEditor(uri);
    }
    await closeEverything();
    const { openEditors } = await inspectorApi();
    // The thread of the status bar follows sessions, and lives on.
    const atRest = async (): Promise<Awaited<ReturnType<typeof used>>> => {
      await waitUntil('the threads of transcripts have ended', () => threads.running().length <= 2);
      return used(threads.running());
    };
    const before = await atRest();
    for (const uri of uris.slice(0, atOnce)) {
      await vscode.commands.executeCommand('vscode.openWith', uri, viewType, { preview: false });
    }
    await waitUntil(
      'all are shown at once',
      () =>
        openEditors().length === atOnce &&
        openEditors().every(editor => editor.state === 'shown' && isAtRest(editor)),
    );
    const most = await used(threads.running());
    const opened = threads.running().length;
    await closeEverything();
    for (const uri of uris.slice(atOnce)) {
      await openAlone(uri);
      await finalEditor(uri);
    }
    await closeEverything();
    const after = await atRest();
    const left = { host: after.host - before.host, workers: after.workers - before.workers };
    const said = `After ${count} transcripts, ${megabytes(left.host)} are left in the extension host and ${megabytes(left.workers)} in its threads.`;
    console.log(
      `  ${said} With ${atOnce} open: ${megabytes(most.host)} and ${megabytes(most.workers)} in ${opened} threads; before: ${megabytes(before.host)}.`,
    );
    assert.ok(opened >= atOnce, 'every transcript has a thread');
    assert.ok(left.host <= mostLeft && left.workers <= mostLeft, said);
  } finally {
    threads.stop();
    await closeEverything();
    uris.forEach(uri => rmSync(uri.fsPath));
  }
});

/** Five megabytes a second. */
const pauseMilliseconds = 200;

test(
  'follows a file that grows by 5 MB a second, and never holds the extension host',
  async () => {
    const seconds = isDeep ? 180 : 20;
    const rounds = (seconds * 1000) / pauseMilliseconds;
    const uri = temporaryFile(
      'flood.jsonl',
      new ClaudeCodeSession('flood').prompt('Begin.').reply({ text: 'Gladly.' }).toString(),
    );
    const api = await inspectorApi();
    try {
      await openAlone(uri);
      const { requests: first = 0 } = await finalEditor(uri);
      await appendCopies(uri.fsPath, megabyte, 1, 1);
      const { requests: second = 0 } = await editorThat(
        uri,
        'it follows',
        editor => (editor.requests ?? 0) > first && isAtRest(editor),
      );
      const wanted = second + (second - first) * rounds;
      const seen = new Set<number>();
      const watching = api.onDidChange(() => {
        const [editor] = api.openEditors();
        seen.add(editor?.requests ?? 0);
      });
      const stall = await worstStall(async () => {
        await appendCopies(uri.fsPath, megabyte, 2, rounds + 1, pauseMilliseconds);
        await editorThat(
          uri,
          'everything is shown',
          editor => editor.requests === wanted && isAtRest(editor),
        );
      });
      watching.dispose();
      const said = stallSentence(stall);
      console.log(`  ${said} It was shown in ${seen.size} states, to ${wanted} requests.`);
      assert.ok(seen.size > 2, 'it is shown while it grows');
      assert.ok(stall.worked <= longestHold, said);
    } finally {
      await closeEverything();
      rmSync(uri.fsPath);
    }
  },
  { skip: stallUnknown },
);
