import { pathToFileURL } from 'node:url';
import { translate } from '../../core/base/translate';
import type { Comparison } from '../../core/compare/comparison';
import { withNamedMarks } from '../../core/sensitivity/redactionMark';
import type { StartThread } from '../../node/threads/bundleThread';
import { comparePage } from '../../protocol/comparePage';
import type { ReadingParams } from '../../protocol/sessionReading';
import type { Desk, Log, Surface } from '../desk';
import type { Disposable } from '../emitter';
import { Page } from '../page';
import type { Configuration } from '../settings/configuration';
import { transcriptClosed } from '../threads/askedThread';
import { ReadingThread } from '../threads/readingThread';

export interface CompareTools {
  readonly startWorker: StartThread;
  readonly configuration: Configuration;
  readonly log: Log;
}

/** The paths of two sessions. */
export type Both = readonly [string, string];

/** The index of a request of each session in its main conversation; null for whole sessions. */
type ChosenRequests = ReadingParams<'compare'>['requests'];

/** Opens a page with two sessions side by side. */
export function openComparison(surface: Surface, desk: Desk, sessions: Both, tools: CompareTools): void {
  const pair = new ComparedPair(sessions, tools);
  new Page(surface, {
    log: tools.log,
    desk,
    contract: comparePage,
    title: translate('Comparison'),
    onReady: () => undefined,
    answer: async ({ params }) => {
      const comparison = await pair.compare(params.requests);
      surface.setTitle(comparison.sides.map(side => withNamedMarks(side.title)).join(' ↔ '));
      return comparison;
    },
    act: ({ side, place }) => desk.show(pathToFileURL(sessions[side]).href, { place }),
    // The answer belongs to an earlier choice of requests.
    isExpected: sentence => sentence === transcriptClosed,
    onClose: () => pair.dispose(),
  });
}

/**
 * The comparisons of a pair of sessions: of the whole sessions, and of the requests chosen last. Each comparison is
 * read in a separate thread, which ends with the answer.
 */
class ComparedPair implements Disposable {
  private thread: ReadingThread | undefined;
  private whole: Promise<Comparison> | undefined;
  private chosen: { readonly key: string; readonly comparison: Promise<Comparison> } | undefined;

  constructor(
    private readonly sessions: Both,
    private readonly tools: Pick<CompareTools, 'startWorker' | 'configuration'>,
  ) {
    this.compareWhole().catch(() => undefined);
  }

  dispose(): void {
    this.thread?.end();
  }

  /** The comparison of other requests is cancelled. */
  async compare(requests: ChosenRequests): Promise<Comparison> {
    // The comparison of the whole sessions has the requests to choose from, so it is never cancelled.
    const whole = await this.compareWhole();
    if (requests === null) {
      return whole;
    }
    const key = requests.join(' ');
    if (this.chosen?.key !== key) {
      this.thread?.end();
      const comparison = this.read(requests);
      const chosen = { key, comparison };
      this.chosen = chosen;
      comparison.catch(() => {
        this.chosen = this.chosen === chosen ? undefined : this.chosen;
      });
    }
    return this.chosen.comparison;
  }

  private compareWhole(): Promise<Comparison> {
    this.whole ??= this.read(null).catch((error: unknown) => {
      this.whole = undefined;
      throw error;
    });
    return this.whole;
  }

  private read(requests: ChosenRequests): Promise<Comparison> {
    const { startWorker, configuration } = this.tools;
    const thread = new ReadingThread(startWorker);
    this.thread = thread;
    const params = {
      paths: this.sessions,
      requests,
      models: configuration.get('models'),
      limits: configuration.unpackLimits(),
    } as const;
    return thread.ask({ name: 'compare', params }).finally(() => thread.end());
  }
}
