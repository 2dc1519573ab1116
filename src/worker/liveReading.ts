import { defined } from '../core/base/defined';
import { oneLine } from '../core/finder/sessionText';
import { cacheQuestions } from '../core/questions/cacheQuestions';
import { Gate } from '../core/sensitivity/gate';
import { sessionStatus } from '../core/session/sessionStatus';
import { doubtText } from '../core/tokens/qualityWords';
import type { TranscriptSession } from '../core/session/transcriptSession';
import { afterSentences, type ContextAfter } from '../core/view/contextAfter';
import { inputOf } from '../core/tokens/prices';
import { type FileByteSource, openFile } from '../node/files/fileByteSource';
import { secretScanner } from '../node/secrets/secretScannerOnDemand';
import { openOnDisk } from '../node/sessions/openOnDisk';
import type { LiveStatus, ReadingParams } from '../protocol/sessionReading';

/** Reads one growing session again and again, and reports its current state. Counts only unrecorded tokens. */
export class LiveReading {
  private current:
    | { readonly path: string; readonly session: TranscriptSession; readonly source: FileByteSource }
    | undefined;
  private readonly gate = new Gate(secretScanner);

  /** @param open opens a local file. A parameter, so that tests can count the reads */
  constructor(private readonly open = openFile) {}

  async read({ path, models, limits, findsLoss }: ReadingParams<'live'>): Promise<LiveStatus> {
    const before = this.current;
    const source = await this.open(path);
    const opened = await openOnDisk(path, source, {
      scanner: secretScanner,
      previous: before?.path === path ? before.session : undefined,
      limits,
      readsSubagents: true,
      labels: false,
    }).catch(async (error: unknown) => {
      await source.close();
      throw error;
    });
    if (!opened.ok) {
      await source.close();
      throw new Error(opened.sentence);
    }
    const { session } = opened;
    session.setModels(models);
    this.current = { path, session, source };
    await before?.source.close();
    return this.statusOf(session, findsLoss);
  }

  private async statusOf(session: TranscriptSession, findsLoss: boolean): Promise<LiveStatus> {
    const newestUsage = session.transcript.requests.findLast(({ thread }) => thread === 0)?.usage;
    if (newestUsage === undefined || inputOf(newestUsage) === 0) {
      await session.countTokens();
    }
    const { title, agent, model, requests, cost, isLeast, recordedCost, newest, after, quota } =
      sessionStatus(session.toSession());
    const [shownTitle, shownModel, nextModel] = await Promise.all(
      [title, model, after?.model ?? ''].map(text => this.gate.text(text)),
    );
    const shownAfter: ContextAfter | undefined = after && {
      ...after,
      ...(after.model === undefined ? {} : { model: oneLine(nextModel ?? '') }),
    };
    return {
      title: oneLine(shownTitle ?? ''),
      agent,
      model: oneLine(shownModel ?? ''),
      requests,
      tokens:
        after?.tokens === undefined
          ? (newest?.tokens ?? { value: 0, quality: 'exact' })
          : { value: after.tokens, quality: 'estimated' },
      after: shownAfter === undefined ? [] : afterSentences(shownAfter),
      isLeast,
      ...defined({
        window: newest?.window,
        // The cached part of a context that was changed since is not known.
        cacheRead: after?.change === undefined ? newest?.cache?.read : undefined,
        coldAt: newest?.cache?.coldAt,
        cost,
        recordedCost,
        doubt: newest?.tokens.doubted === undefined ? undefined : doubtText(newest.tokens.doubted),
        compactedAt: newest?.compactedAt,
        quota,
        lost: findsLoss ? await lostBy(session) : undefined,
      }),
    };
  }
}

/** The newest request of the main conversation with a cache loss; undefined if there is none. */
async function lostBy(session: TranscriptSession): Promise<LiveStatus['lost']> {
  const newest = await cacheQuestions(session).newestBreak(0);
  if (newest === undefined) {
    return undefined;
  }
  const before = session.toSession().columns.requests.thread.subarray(0, newest.request);
  return {
    request: before.reduce((count, thread) => count + (thread === 0 ? 1 : 0), 0),
    cause: newest.causes[0],
  };
}
