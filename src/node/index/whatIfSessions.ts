import { CancelledError, throwIfCancelled, type WorkOptions, WorkTurn } from '../../core/base/cancelling';
import type { SessionFile } from '../../core/finder/sessionList';
import type { IndexedSession } from '../../core/index/indexedSession';
import { unpackRequests } from '../../core/index/requestTable';
import { requestKey } from '../../core/model/requestKey';
import { whatIfRun } from '../../core/questions/whatIfQuestion';
import type { TranscriptSession } from '../../core/session/transcriptSession';
import type { UnpackLimits } from '../../core/reading/decoders/unpacking';
import { lookUpWith, type UserModels } from '../../core/tokens/userModels';
import { triedSettings } from '../../core/whatIf/bestSettings';
import { assumptions, type Setting, settingText } from '../../core/whatIf/settings';
import { coverage, type WhatIfRun } from '../../core/whatIf/whatIf';
import {
  BestSums,
  type BestSettings,
  type WhatIfOverview,
  WhatIfTotals,
} from '../../core/whatIf/whatIfTotals';
import { openFile } from '../files/fileByteSource';
import { openOnDisk } from '../sessions/openOnDisk';
import { credentialScanner } from '../secrets/secretScannerOnDemand';
import type { Index } from './indexTypes';
import { filesByKey } from './searchIndex';

export interface WhatIfWish {
  readonly settings: readonly Setting[];
  /** Milliseconds since 1970: requests at or after `since`, and before `until`. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly models: UserModels;
  readonly limits?: UnpackLimits | undefined;
  /** True to search the best settings too. */
  readonly searches: boolean;
}

export interface WhatIfAnswer extends WhatIfOverview {
  /** Choices of settings that save money, the best first; undefined without a search. */
  readonly best: readonly BestSettings[] | undefined;
  /** Number of files that could not be read. */
  readonly failed: number;
}

/** Number of choices in the answer of a search. */
const mostBest = 5;

/**
 * Prices all sessions of a period under other settings. Opens the file of every session with a request in the period, the
 * oldest first; copies of a request in resumed and forked sessions count once.
 */
export async function whatIfSessions(
  index: Index,
  files: readonly SessionFile[],
  wish: WhatIfWish,
  { isCancelled, onProgress }: WorkOptions = {},
): Promise<WhatIfAnswer> {
  const byKey = filesByKey(files);
  const chosen: { readonly file: SessionFile; readonly indexed: IndexedSession }[] = [];
  await index.usage(({ path, session, requests }) => {
    const file = byKey.get(path);
    const { columns } = unpackRequests(requests);
    if (file !== undefined && columns.time.some(time => isWithin(wish, time))) {
      chosen.push({ file, indexed: session });
    }
  });
  const totals = new WhatIfTotals();
  const best = wish.searches ? new BestSums() : undefined;
  const counted = new Set<number>();
  let failed = 0;
  for (const [place, { file, indexed }] of chosen.entries()) {
    onProgress?.(place, chosen.length);
    throwIfCancelled(isCancelled);
    const isRead = await withSession(file, wish, session =>
      addFile(session, indexed, { file: file.path, wish, counted, totals, best, isCancelled }),
    );
    failed += isRead ? 0 : 1;
  }
  throwIfCancelled(isCancelled);
  const settings = wish.settings.map(settingText);
  return {
    ...totals.overview(settings, assumptions(wish.settings), coverage),
    best: best?.best(mostBest),
    failed,
  };
}

function isWithin(
  { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY }: WhatIfWish,
  time: number,
): boolean {
  const isBounded = since > Number.NEGATIVE_INFINITY || until < Number.POSITIVE_INFINITY;
  return isBounded ? time >= since && time < until : true;
}

interface Sums {
  /** The path of the file. */
  readonly file: string;
  readonly wish: WhatIfWish;
  /** The keys of the requests so far. */
  readonly counted: Set<number>;
  readonly totals: WhatIfTotals;
  readonly best: BestSums | undefined;
  readonly isCancelled: WorkOptions['isCancelled'];
}

async function addFile(opened: TranscriptSession, indexed: IndexedSession, sums: Sums): Promise<void> {
  const { file, wish, counted, totals, best, isCancelled } = sums;
  const { agent, requests } = opened.transcript;
  const isIncluded = requests.map(request => {
    const key = requestKey(agent.name, request);
    const isNew = key === 0 || !counted.has(key);
    counted.add(key);
    return isNew && isWithin(wish, request.timestamp ?? Number.NaN);
  });
  const lookUp = lookUpWith(wish.models);
  const isSubagent = indexed.parent !== '';
  const several = indexed.several?.sessions ?? [
    {
      id: isSubagent ? indexed.parent : indexed.id,
      project: indexed.project,
      title: indexed.title,
      threads: undefined,
    },
  ];
  for (const { id, project, title, threads } of several) {
    const run = await whatIfRun(opened, {
      lookUp,
      includes: request => isIncluded[request] === true,
      findsLost:
        best !== undefined || wish.settings.some(({ name }) => name === 'prune' || name === 'compaction'),
      ...(threads === undefined ? {} : { threads }),
    });
    const name = {
      id,
      title,
      agent: indexed.agent,
      project: project === '' ? indexed.project : project,
      file,
      conversation: threads?.[0] ?? 0,
    };
    totals.add(`${indexed.agent} ${id}`, name, isSubagent, run.with(wish.settings));
    if (best !== undefined) {
      await search(run, best, isCancelled);
    }
  }
}

/** Where a session cannot tell what a setting does, it counts as recorded. */
async function search(
  run: WhatIfRun,
  best: BestSums,
  isCancelled: WorkOptions['isCancelled'],
): Promise<void> {
  const turn = new WorkTurn();
  for (const settings of triedSettings()) {
    if (turn.isOver) {
      await turn.next();
      throwIfCancelled(isCancelled);
    }
    best.add(settings.map(settingText), run.with(settings));
  }
}

/** @returns false if the file cannot be read */
async function withSession(
  file: SessionFile,
  { models, limits }: WhatIfWish,
  work: (session: TranscriptSession) => Promise<void>,
): Promise<boolean> {
  try {
    const source = await openFile(file.path);
    try {
      const opened = await openOnDisk(file.path, source, {
        scanner: credentialScanner,
        labels: false,
        countWhileReading: true,
        mayGrow: false,
        limits,
        models,
      });
      if (opened.ok) {
        await work(opened.session);
      }
      return opened.ok;
    } finally {
      await source.close();
    }
  } catch (error) {
    if (error instanceof CancelledError) {
      throw error;
    }
    return false;
  }
}
