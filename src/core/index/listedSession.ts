import { defined } from '../base/defined';
import { entryOf } from '../base/entryOf';
import type { SessionDescription, SessionUsage } from '../finder/sessionDescription';
import type { SessionFile } from '../finder/sessionList';
import { describeSession } from '../finder/sessionText';
import type { ModelPrices, ModelRow } from '../model/modelRow';
import type { Gate } from '../sensitivity/gate';
import { windowOf } from '../tokens/contextWindow';
import type { ModelLookUp } from '../tokens/modelTable';
import { FiguresSum, knownCost, usedRequest } from '../tokens/usageFigures';
import type { UsageFigures } from '../model/usageFigures';
import { unpackRequests, usageAt } from './requestTable';
import type { IndexedUsage } from './usageSums';

/** The indexed figures of a file that was read for its usage. */
export type IndexedFigures = Pick<IndexedUsage, 'session' | 'requests'>;

/** Facts read from a file for the list, and the state of the file at that time. */
export interface ReadForList extends IndexedFigures {
  readonly file: SessionFile;
  readonly state: string;
}

/** The facts about a session in a list. */
export interface ListedSession {
  readonly description: SessionDescription;
  readonly usage: SessionUsage;
}

/**
 * @param gate the gate for every foreign text
 * @param subagents those of the session with files of their own
 */
export async function listedSession(
  file: SessionFile,
  figures: IndexedFigures,
  lookUp: ModelLookUp,
  gate: Gate,
  subagents: readonly IndexedFigures[] = [],
): Promise<ListedSession> {
  const { figures: sum, newest } = listedUsage(figures, lookUp, subagents);
  const { agent, title, project, branch, main, began, ended } = figures.session;
  const { money, isLeast, recorded } = knownCost(sum);
  const outline = {
    format: '',
    agent,
    title,
    model: main?.model ?? '',
    requests: main?.requests ?? 0,
    isWhole: true,
    ...defined({
      workingDirectory: project === '' ? undefined : project,
      branch: branch === '' ? undefined : branch,
      firstTime: began,
      lastTime: ended,
      fill: newest && { tokens: newest.tokens, ...defined({ window: newest.window }) },
    }),
  };
  return {
    description: await describeSession(
      file,
      agent === '' ? { kind: 'foreign' } : { kind: 'session', outline },
      gate,
    ),
    usage: {
      ...(newest?.window === undefined ? {} : { fill: newest.tokens / newest.window }),
      ...(money === undefined ? {} : { cost: money, ...(isLeast ? { isLeast } : {}) }),
      ...defined({ recordedCost: recorded }),
    },
  };
}

/** The usage of a file in a list. */
export interface ListedUsage {
  /** Sums over all requests of the session, including its subagents. */
  readonly figures: UsageFigures;
  /** Input of the newest request of the main conversation, and the window of its model, in tokens. */
  readonly newest: { readonly tokens: number; readonly window: number | undefined } | undefined;
}

export function listedUsage(
  main: IndexedFigures,
  lookUp: ModelLookUp,
  subagents: readonly IndexedFigures[] = [],
): ListedUsage {
  const rows = new Map<string, ModelRow | undefined>();
  const pricesOf = (model: string): ModelPrices | undefined =>
    entryOf(rows, model, () => lookUp(model))?.prices;
  const sum = new FiguresSum();
  const counted = new Set<number>();
  for (const { session, requests } of [main, ...subagents]) {
    const table = unpackRequests(requests);
    const { columns, count } = table;
    for (let request = 0; request < count; request += 1) {
      const key = columns.key[request] ?? 0;
      if (key !== 0 && session !== main.session && counted.has(key)) {
        continue;
      }
      counted.add(key);
      const model = session.models[columns.model[request] ?? 0] ?? '';
      const time = columns.time[request] ?? Number.NaN;
      const usage = usageAt(table, request, session.billings);
      sum.add(
        usedRequest(
          usage,
          pricesOf(model),
          time,
          pricesOf,
          columns.outputDoubtful[request] === 1,
          columns.inputDoubted[request] === 1,
        ),
      );
    }
  }
  const { newest } = main.session.main ?? {};
  return {
    figures: sum.figures(),
    newest: newest && { tokens: newest.tokens, window: windowOf(newest, lookUp(newest.model))?.tokens },
  };
}
