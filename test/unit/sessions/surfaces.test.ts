import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { inspectReport } from '../../../src/core/export/inspectReport';
import { requests as requestCount } from '../../../src/core/base/countWords';
import { factRows } from '../../../src/core/compare/compareWords';
import { sessionReport } from '../../../src/core/export/sessionReport';
import { listedCost } from '../../../src/core/finder/sessionDescription';
import { listedSession, listedUsage } from '../../../src/core/index/listedSession';
import { UsageSums } from '../../../src/core/index/usageSums';
import { requestsOfThread } from '../../../src/core/model/requestBlocks';
import { lastUsed } from '../../../src/core/model/sessionTimes';
import { defaultPruneOptions } from '../../../src/core/model/pruneConfig';
import { defaultUnpackLimits } from '../../../src/core/reading/decoders/unpacking';
import { Gate } from '../../../src/core/sensitivity/gate';
import { openTranscript } from '../../../src/core/session/openTranscript';
import { sessionStatus } from '../../../src/core/session/sessionStatus';
import type { TranscriptSession } from '../../../src/core/session/transcriptSession';
import { lookUpModel } from '../../../src/core/tokens/modelTable';
import { cacheShare, costText, knownCost, sumText } from '../../../src/core/tokens/usageFigures';
import type { UsageFigures } from '../../../src/core/model/usageFigures';
import { buildRequestView } from '../../../src/core/view/requestView';
import { sessionCost, wholeCost } from '../../../src/core/view/sessionCost';
import { decoderTools } from '../../../src/node/databases/database';
import { decodeText } from '../../../src/node/files/decodeText';
import { type FileByteSource, openFile } from '../../../src/node/files/fileByteSource';
import { hashText } from '../../../src/node/files/hashText';
import { readForIndex } from '../../../src/node/index/indexReading';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';
import { siblingFilesOf } from '../../../src/node/sessions/siblingFiles';
import { readComparison } from '../../../src/worker/compareReading';
import { LiveReading } from '../../../src/worker/liveReading';
import { shared } from '../../fixtures/sharedFiles';
import { type SurfaceName, surfaceSession } from '../../fixtures/surfaceSessions';
import { someOf } from '../../fixtures/variants';

/** A surface's facts about a session. A member is absent if the surface does not show it. */
interface Said {
  readonly cost: string;
  /** Of all requests: uncached, read from the cache, written to it, output. */
  readonly tokens?: readonly number[];
  readonly cacheShare?: number | undefined;
  /** Input of the newest request of the main conversation, its unrecorded part, and its cached part. */
  readonly input?: number | undefined;
  readonly hidden?: number;
  readonly read?: number | undefined;
  /** True if that input is recorded. */
  readonly isRecorded?: boolean;
  /** Of the main conversation, in words. */
  readonly requests?: string;
  /** When it was last used. Its age is measured from then. */
  readonly used?: number;
}

const tokensOf = ({
  input,
  cacheRead,
  cacheWrite,
  output,
}: Pick<UsageFigures, 'input' | 'cacheRead' | 'cacheWrite' | 'output'>) => [
  input,
  cacheRead,
  cacheWrite,
  output,
];

async function withCounted<Result>(
  path: string,
  work: (session: TranscriptSession) => Promise<Result>,
): Promise<Result> {
  const source = await openFile(path);
  try {
    const opened = await openTranscript(source, {
      fileName: basename(path),
      scanner: secretScanner,
      decodeText,
      hashText,
      mayGrow: false,
      countWhileReading: true,
      readsSubagents: true,
      tools: decoderTools,
      siblings: siblingFilesOf(path),
    });
    assert.ok(opened.ok, path);
    return await work(opened.session);
  } finally {
    await source.close();
  }
}

/** The header of the page of an open session. */
function headerOf(session: TranscriptSession, modified: number): Said {
  const { columns, summary } = session.toSession();
  const { total } = wholeCost(sessionCost(columns, summary.models), summary);
  const newest = requestsOfThread(columns, 0).at(-1);
  const view = newest === undefined ? undefined : buildRequestView(columns, newest);
  return {
    cost: costText(knownCost(total)),
    cacheShare: cacheShare(total),
    used: lastUsed(summary.ended, modified),
    ...(view === undefined ? {} : { input: view.total.value, hidden: view.notRecorded.value }),
  };
}

function statusOf(session: TranscriptSession, modified: number): Said {
  const status = sessionStatus(session.toSession());
  const { usage, cost, isLeast, recordedCost: recorded, cacheShare: share, newest } = status;
  const hidden = newest?.sources.find(({ source }) => source === 'notRecorded')?.tokens ?? 0;
  return {
    cost: costText({ money: cost, isLeast, recorded }),
    tokens: tokensOf(usage),
    cacheShare: share,
    requests: requestCount(status.requests),
    used: lastUsed(status.ended, modified),
    ...(newest === undefined
      ? {}
      : {
          input: newest.tokens.value,
          hidden,
          read: newest.cache?.read,
          isRecorded: newest.tokens.quality === 'exact',
        }),
  };
}

function inspectOf(session: TranscriptSession): Said {
  const report = inspectReport(session, defaultPruneOptions(), {
    index: undefined,
    conversation: 0,
    requests: requestsOfThread(session.toSession().columns, 0),
    findings: null,
    sensitive: null,
  });
  assert.ok(report !== undefined);
  const { session: whole, request } = report;
  return {
    cost: costText({
      money: whole.cost ?? undefined,
      isLeast: whole.isLeast,
      recorded: whole.recordedCost ?? undefined,
    }),
    tokens: tokensOf(whole),
    cacheShare: whole.cacheShare ?? undefined,
    requests: requestCount(report.requests),
    ...(request === null ? {} : { input: request.tokens.value, hidden: request.notRecorded }),
  };
}

async function reportOf(session: TranscriptSession): Promise<Said> {
  await session.scan();
  const newest = requestsOfThread(session.toSession().columns, 0).at(-1) ?? 0;
  const { cost, view, requests } = await sessionReport(
    session,
    newest,
    defaultPruneOptions(),
    secretScanner,
    {
      level: 'full',
    },
  );
  return {
    cost: costText(knownCost(cost.total)),
    tokens: tokensOf(cost.total),
    requests: requestCount(requests),
    input: view.total.value,
    hidden: view.notRecorded.value,
  };
}

async function listAndUsage(path: string): Promise<Readonly<Record<'list' | 'usage', Said>>> {
  const { size, mtimeMs } = statSync(path);
  const file = { agent: '', path, size, modified: mtimeMs, projectKey: '', isKnown: true };
  const sums = new UsageSums({ by: 'session' }, lookUpModel);
  let row: Said = { cost: '' };
  const gate = new Gate(secretScanner);
  for await (const part of readForIndex({ file, words: false })) {
    assert.ok(part.kind === 'session');
    sums.add(part);
    const { figures, newest } = listedUsage(part, lookUpModel);
    const { description, usage } = await listedSession(file, part, lookUpModel, gate);
    row = {
      cost: costText(listedCost(usage)),
      tokens: tokensOf(figures),
      input: newest?.tokens,
      requests: description.facts.split(' · ')[0] ?? '',
      used: description.lastUsed,
    };
  }
  const { total } = sums.overview();
  return {
    list: row,
    usage: {
      cost: total.requests === 0 ? '' : (sumText(total) ?? ''),
      tokens: tokensOf(total),
      cacheShare: cacheShare(total),
    },
  };
}

const largestReport = 300_000;

/** Every surface that shows a session's usage, by name. */
async function surfacesOf(path: string): Promise<Readonly<Record<string, Said>>> {
  const [models, limits] = [{}, defaultUnpackLimits];
  const sources: FileByteSource[] = [];
  const reading = new LiveReading(async name => {
    const source = await openFile(name);
    sources.push(source);
    return source;
  });
  const live = await reading.read({ path, models, limits, findsLoss: false });
  await Promise.all(sources.map(source => source.close()));
  const comparison = await readComparison({
    paths: [path, path],
    requests: null,
    models,
    limits,
  });
  const [side] = comparison.sides;
  const { size, mtimeMs } = statSync(path);
  const costRow = factRows(comparison).find(({ name }) => name === 'Cost');
  return {
    ...(await listAndUsage(path)),
    'status bar': {
      cost: costText({ money: live.cost, isLeast: live.isLeast, recorded: live.recordedCost }),
      // After a compaction, the status bar alone shows the context that is left.
      ...(live.after.length === 0 ? { input: live.tokens.value, read: live.cacheRead } : {}),
    },
    compare: {
      cost: costRow?.values[0] ?? '',
      tokens: tokensOf(side.usage),
      cacheShare: side.cacheShare,
      input: side.fills.at(-1)?.tokens.value,
      requests: requestCount(side.requests),
      used: lastUsed(side.ended, mtimeMs),
    },
    ...(await withCounted(path, async session => ({
      header: headerOf(session, mtimeMs),
      status: statusOf(session, mtimeMs),
      inspect: inspectOf(session),
      // It searches for sensitive data, which takes long in a large file.
      ...(size > largestReport ? {} : { report: await reportOf(session) }),
    }))),
  };
}

/** Fails if two surfaces differ. */
async function assertEqual(path: string): Promise<Said> {
  const surfaces = await surfacesOf(path);
  const { status } = surfaces;
  assert.ok(status !== undefined);
  // A list knows only recorded inputs.
  const isRecorded = status.isRecorded === true;
  for (const [name, said] of Object.entries(surfaces)) {
    for (const member of [
      'cost',
      'tokens',
      'cacheShare',
      'input',
      'hidden',
      'read',
      'requests',
      'used',
    ] as const) {
      if (member in said && (isRecorded || name !== 'list' || member !== 'input')) {
        assert.deepEqual(said[member], status[member], `${basename(path)}: ${member} of ${name}`);
      }
    }
  }
  return status;
}

const folder = mkdtempSync(join(tmpdir(), 'surfaces-'));

function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('what a session used', () => {
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is the same in the list, the status bar, the header, Compare, status, usage, inspect and the report', async () => {
    const said = async (name: SurfaceName): Promise<Said> => {
      const { fileName, text } = surfaceSession(name, Date.parse('2026-03-01T10:00:00Z'));
      return assertEqual(write(fileName, text));
    };
    assert.match((await said('plain')).cost, /^\$/);
    assert.match((await said('low')).cost, /^≥ \$/);
    assert.equal((await said('unpriced')).cost, '');
    assert.match((await said('partly')).cost, /^≥ \$/);
    assert.equal((await said('recorded')).cost, '$0.50 recorded');
    assert.match((await said('both')).cost, /^\$[\d.]+$/);
    for (const name of ['codex', 'gemini', 'copilot', 'pi', 'kimi', 'qwen'] as const) {
      await said(name);
    }
  });

  it('includes subagents with files of their own, in Compare too', async () => {
    const path = 'media/example/session.jsonl';
    const header = await withCounted(path, session => Promise.resolve(headerOf(session, 0)));
    const { sides } = await readComparison({
      paths: [path, path],
      requests: null,
      models: {},
      limits: defaultUnpackLimits,
    });
    for (const { money, isLeast, allRequests, requests } of sides) {
      assert.equal(costText({ money, isLeast, recorded: undefined }), header.cost);
      assert.ok(allRequests > requests);
    }
  });

  const samples = [
    'claude-code/entire-large-3.99MB.jsonl',
    'claude-code/entire-subagent-progress.jsonl',
    'claude-code/kimi-2.1.69-toolref.jsonl',
    'codex/agentv-2026-06-17-small.jsonl',
    'copilot-cli/agentv-2026-06-24-large.jsonl',
    'gemini-cli/gemini-trajectory.json',
    'iflow/agentsview-5de701fc.jsonl',
    'kimi/wire-1.4-tools.jsonl',
    'pi/large-session.jsonl',
    'crush-sqlite/dbos-crush.db',
  ].map(name => join(shared, 'samples', name));
  it(
    'is the same for real sessions',
    { skip: samples.every(existsSync) ? false : 'no ../shared/samples beside the repository' },
    async () => {
      for (const path of someOf(samples, 4)) {
        await assertEqual(path);
      }
    },
  );
});
