import type { WorkOptions } from '../base/cancelling';
import { entryOf } from '../base/entryOf';
import { sensitiveItemsIn } from '../exposure/secretPlaces';
import type { SensitiveItem } from '../exposure/sensitiveItem';
import type { Session, SessionColumns } from '../model/columns';
import type { PruneOptions } from '../model/pruneConfig';
import { requestsOfThread } from '../model/requestBlocks';
import { cacheQuestions } from '../questions/cacheQuestions';
import { sightOf } from '../questions/sightQuestion';
import { wasteOf } from '../questions/wasteQuestion';
import type { TranscriptSession } from '../session/transcriptSession';
import { type IdealLayout, idealLayout } from '../stability/idealLayout';
import { stabilityAt } from '../stability/stability';
import type { Insights } from './insight';
import { type Analyses, rankInsights } from './rankInsights';

export interface InsightOptions extends WorkOptions {
  /** Only the findings that need little work: cache losses, secrets and private data. */
  readonly isQuick?: boolean;
  /** The secrets, if the caller already has them. */
  readonly sensitive?: readonly SensitiveItem[] | undefined;
}

const sensitiveOf = new WeakMap<SessionColumns, Promise<readonly SensitiveItem[]>>();

/**
 * The ranked findings of all analyses of a session. Each analysis is made once for each version of the columns, and
 * shared with the panels. The session must be counted and scanned.
 */
export async function insightsOf(
  session: TranscriptSession,
  prune: PruneOptions,
  options: InsightOptions = {},
): Promise<Insights> {
  return rankInsights(session.toSession(), await analysesOf(session, prune, options));
}

/** The results of all analyses that `rankInsights` lists. */
export async function analysesOf(
  session: TranscriptSession,
  prune: PruneOptions,
  { isQuick = false, sensitive: given, ...work }: InsightOptions = {},
): Promise<Analyses> {
  const opened = session.toSession();
  const { columns } = opened;
  const cache = await cacheQuestions(session).report();
  const sensitive = given ?? (await sharedItems(session, columns));
  return isQuick
    ? { cache, sensitive }
    : {
        cache,
        sensitive,
        waste: await wasteOf(session, work),
        sight: await sightOf(session),
        moment: await cacheQuestions(session).bestMomentOfMain(prune, work),
        layout: newestLayout(opened),
      };
}

function sharedItems(session: TranscriptSession, columns: SessionColumns): Promise<readonly SensitiveItem[]> {
  const items = entryOf(sensitiveOf, columns, () => sensitiveItemsIn(session));
  items.catch(() => sensitiveOf.delete(columns));
  return items;
}

/** The better order of blocks of the newest request of the main conversation. */
function newestLayout({ columns, summary }: Session): IdealLayout | undefined {
  const newest = requestsOfThread(columns, 0).at(-1);
  return newest === undefined
    ? undefined
    : idealLayout(columns, summary.models, stabilityAt(columns, newest));
}
