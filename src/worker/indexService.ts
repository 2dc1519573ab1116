import { CancelledError } from '../core/base/cancelling';
import { defined } from '../core/base/defined';
import { entryOf } from '../core/base/entryOf';
import { sessionPlaces, subagentPlaces } from '../core/finder/agentLocations';
import type { SessionFile } from '../core/finder/sessionList';
import { sessionOfThread, sessionRoot } from '../core/index/indexedSession';
import { type IndexedFigures, listedSession } from '../core/index/listedSession';
import { marksOf } from '../core/index/sessionMarks';
import { QuotaSums } from '../core/index/quotaUse';
import { type BarSession, BarSums, periodBounds, UsagePeriodSums } from '../core/index/usagePeriod';
import { type IndexedUsage, UsageSums } from '../core/index/usageSums';
import { usageCsv } from '../core/index/usageTable';
import { parseWords } from '../core/index/wordQuery';
import { RadarSums } from '../core/radar/radar';
import { assertNever } from '../core/model/labels';
import { lastUsed } from '../core/model/sessionTimes';
import { Gate } from '../core/sensitivity/gate';
import { lookUpWith, type UserModels } from '../core/tokens/userModels';
import { readSettings } from '../core/whatIf/settings';
import type { StartThread } from '../node/threads/bundleThread';
import { describeIndexError, mostReadings, notKept } from '../node/index/indexErrors';
import type { Index } from '../node/index/indexTypes';
import { ReadingThreads } from '../node/index/readingThreads';
import { filesByKey, type SearchHit, searchIndex } from '../node/index/searchIndex';
import { keepFigures, updateIndex } from '../node/index/updateIndex';
import { whatIfSessions } from '../node/index/whatIfSessions';
import { credentialScanner, secretScanner } from '../node/secrets/secretScannerOnDemand';
import type { SessionFinder } from '../node/sessions/sessionFinder';
import { thisMachine } from '../node/thisMachine';
import {
  type FromIndexService,
  type IndexParams,
  type IndexPlaces,
  type indexQuestions,
  type IndexResult,
  type IndexState,
  indexDeleted,
  searchReplaced,
  type ToIndexService,
  whatIfStopped,
} from '../protocol/indexService';
import { type AnswersOf, answerTo, postAnswer } from '../protocol/rpc';

/** Minimum interval between progress messages, in milliseconds. */
const progressPause = 200;
/** The time that a search continues counting after it has the requested hits, in milliseconds. */
const countingTime = 60;
/** Interval at which the usage counts as changed while it is read, in milliseconds. */
const revisionPause = 3000;

export interface IndexServiceTools {
  readonly openIndex: () => Index;
  readonly finder: Pick<SessionFinder, 'list'>;
  /** Starts src/worker/indexing.ts. */
  readonly startReading: StartThread;
  /** The largest number of reading threads. */
  readonly threads: number;
  readonly post: (message: FromIndexService) => void;
}

/** Owns the index, keeps it up to date, and answers from it. */
export class IndexService {
  private index: Index | undefined;
  /** The files of the newest list by their keys in the index, once there is a list. */
  private listed: Promise<ReadonlyMap<string, SessionFile>> | undefined;
  /** The figures of subagents with files of their own by `sessionRoot`; undefined if the index may have others. */
  private subagents: Promise<ReadonlyMap<string, readonly IndexedFigures[]>> | undefined;
  private places: IndexPlaces = { workspaceFolders: [], sessionFolders: [] };
  private models: UserModels = {};
  private updating: Promise<void> | undefined;
  private isStale = false;
  private isStopped = false;
  private threads: ReadingThreads | undefined;
  private revision = 0;
  private madeAnew = false;
  private search = 0;
  /** The number of the newest what-if; it grows when that is stopped. */
  private pricing = 0;
  /** True if the index was deleted and not needed since. An answer would create it again. */
  private isDeleted = false;
  private readonly answering = new Set<Promise<unknown>>();
  /** The gate for a list's texts before they are shown. */
  private readonly gate = new Gate(secretScanner);
  private readonly answers: AnswersOf<typeof indexQuestions, undefined> = {
    usage: (_, wish) => this.fromIndex(index => this.usage(index, wish)),
    whatIf: (_, wish) => this.fromIndex(index => this.whatIf(index, wish)),
    radar: () => this.fromIndex(index => this.radar(index)),
    quotas: (_, wish) => this.fromIndex(index => this.quotas(index, wish)),
    table: (_, wish) => this.fromIndex(index => this.table(index, wish)),
    bar: (_, wish) => this.fromIndex(index => this.bar(index, wish)),
    search: (_, wish) => this.fromIndex(index => this.find(index, wish)),
    sessions: () => this.fromIndex(index => this.sessions(index)),
    listed: (_, { files }) => this.fromIndex(index => this.listedOf(index, files)),
    keep: (_, { read }) => this.fromIndex(index => keepFigures(index, read).then(() => null)),
    delete: () => this.delete(),
  };

  constructor(private readonly tools: IndexServiceTools) {}

  /** Resolves once the message was acted on; never rejects. */
  async handle(message: ToIndexService): Promise<void> {
    const { post } = this.tools;
    switch (message.type) {
      case 'settings':
        this.places = message.places;
        this.models = message.models;
        return;
      case 'update':
        this.update();
        return;
      case 'stop':
        return this.stop();
      case 'stopPricing':
        this.pricing += 1;
        return;
      case 'question':
        postAnswer(
          message.id,
          () => answerTo(this.answers, undefined, message.question),
          post,
          describeIndexError,
        );
        return;
      case 'end':
        this.pricing += 1;
        await this.stop();
        this.index?.close();
        this.index = undefined;
        return;
      default:
        return assertNever(message);
    }
  }

  private update(): void {
    if (this.updating !== undefined) {
      this.isStale = true;
      return;
    }
    this.isStopped = false;
    this.isDeleted = false;
    this.updating = this.bringUpToDate()
      .catch((error: unknown) => {
        if (!this.isStopped) {
          this.post({ kind: 'failed', sentence: describeIndexError(error) });
        }
      })
      .finally(() => {
        this.updating = undefined;
        // Also if it was stopped: the wish came later, as when the page is closed and opened again.
        if (this.isStale) {
          this.isStale = false;
          this.update();
        }
      });
  }

  private async bringUpToDate(): Promise<void> {
    for (let reading = 1; reading <= mostReadings; reading += 1) {
      this.post({ kind: 'looking', ...this.known() });
      const list = this.listFiles();
      this.listed = list.then(filesByKey);
      // A later caller gets the error; there may be none.
      this.listed.catch(() => undefined);
      const files = await list;
      this.revision += 1;
      this.subagents = undefined;
      this.index ??= this.tools.openIndex();
      const before = this.index.rebuilds;
      await this.read(this.index, files, 'usage');
      const failed = await this.read(this.index, files, 'words');
      if (this.index.rebuilds === before) {
        this.subagents = undefined;
        this.post({ kind: 'current', files: files.length, failed, ...this.known() });
        return;
      }
      this.madeAnew = true;
    }
    throw notKept();
  }

  private listFiles(): Promise<readonly SessionFile[]> {
    const machine = thisMachine();
    const { workspaceFolders, sessionFolders } = this.places;
    return this.tools.finder.list([
      ...sessionPlaces(machine, workspaceFolders, sessionFolders),
      ...subagentPlaces(machine),
    ]);
  }

  /** Reads new and changed files. Returns the number of unreadable files. */
  private async read(index: Index, files: readonly SessionFile[], what: 'usage' | 'words'): Promise<number> {
    const { startReading, threads } = this.tools;
    this.threads = new ReadingThreads(startReading, threads);
    let said = 0;
    let revised = Date.now();
    const say = (done: number, total: number): void => {
      const now = Date.now();
      if (what === 'usage' && now - revised > revisionPause) {
        revised = now;
        this.revision += 1;
      }
      if (now - said > progressPause) {
        said = now;
        this.post({ kind: 'reading', what, done, total, ...this.known() });
      }
    };
    try {
      const { failed, read } = await updateIndex(index, files, {
        words: what === 'words',
        readersFor: bytes => {
          say(0, bytes);
          return this.threads?.start(bytes) ?? [];
        },
        onProgress: say,
        isCancelled: () => this.isStopped,
      });
      this.revision += read > 0 ? 1 : 0;
      return failed.length;
    } catch (error) {
      if (error instanceof CancelledError) {
        this.revision += 1;
        this.post({ kind: 'stopped', what, ...this.known() });
      }
      throw error;
    } finally {
      await this.threads.close();
    }
  }

  private async stop(): Promise<void> {
    this.isStopped = true;
    this.isStale = false;
    await this.threads?.close();
    await this.updating;
  }

  private async delete(): Promise<null> {
    this.isDeleted = true;
    this.pricing += 1;
    await this.stop();
    await Promise.allSettled(this.answering);
    this.index ??= this.tools.openIndex();
    await this.index.delete();
    this.revision += 1;
    this.madeAnew = false;
    this.post({ kind: 'deleted' });
    return null;
  }

  private async fromIndex<Result>(answerFrom: (index: Index) => Promise<Result>): Promise<Result> {
    if (this.isDeleted) {
      throw new Error(indexDeleted());
    }
    const index = (this.index ??= this.tools.openIndex());
    const before = index.rebuilds;
    const answer = answerFrom(index);
    this.answering.add(answer);
    try {
      await answer;
    } finally {
      this.answering.delete(answer);
    }
    if (index.rebuilds !== before) {
      // Damage may be found only when an answer is read.
      this.madeAnew = true;
      // A caller that only asked for known facts does not want files to be read.
      if (this.listed !== undefined) {
        this.update();
      }
    }
    return answer;
  }

  private async usage(index: Index, wish: IndexParams<'usage'>): Promise<IndexResult<'usage'>> {
    const sums = new UsagePeriodSums(wish, lookUpWith(this.models), Date.now());
    await this.visitListed(index, (_, file) => sums.add(file));
    const { groups, ...period } = sums.period();
    return { ...period, groups: groups.map(({ title: _, ...group }) => group) };
  }

  private async whatIf(
    index: Index,
    { period, settings, searches }: IndexParams<'whatIf'>,
  ): Promise<IndexResult<'whatIf'>> {
    this.pricing += 1;
    const { models, pricing } = this;
    const files = [...((await this.listed)?.values() ?? [])];
    const { since, until } = periodBounds(period, Date.now());
    const wish = { settings: readSettings(settings) ?? [], since, until, models, searches };
    let said = 0;
    try {
      return await whatIfSessions(index, files, wish, {
        isCancelled: () => pricing !== this.pricing,
        onProgress: (done, total) => {
          const now = Date.now();
          if (now - said > progressPause) {
            said = now;
            this.tools.post({ type: 'pricing', progress: { done, total } });
          }
        },
      });
    } catch (error) {
      throw error instanceof CancelledError ? new Error(whatIfStopped()) : error;
    }
  }

  private async radar(index: Index): Promise<IndexResult<'radar'>> {
    const sums = new RadarSums(lookUpWith(this.models));
    await this.visitListed(index, (_, file) => sums.add(file));
    return sums.report();
  }

  private async table(index: Index, { form, ...wish }: IndexParams<'table'>): Promise<IndexResult<'table'>> {
    const { groups, total } = await this.usage(index, wish);
    const rows = groups.map(({ moneyByDay: _, tokensByDay: __, ...row }) => row);
    const text =
      form === 'csv'
        ? usageCsv({ rows })
            .map(line => `${line}\n`)
            .join('')
        : `${JSON.stringify({ by: wish.stack, rows, total }, undefined, 2)}\n`;
    return new Gate(credentialScanner).text(text);
  }

  private async bar(index: Index, wish: IndexParams<'bar'>): Promise<IndexResult<'bar'>> {
    const sums = new BarSums(wish, lookUpWith(this.models));
    await this.visitListed(index, (path, file) => sums.add(path, file));
    return { sessions: withPaths(sums.sessions(), await this.listed) };
  }

  private async quotas(index: Index, { period }: IndexParams<'quotas'>): Promise<IndexResult<'quotas'>> {
    const sums = new QuotaSums(lookUpWith(this.models), periodBounds(period, Date.now()));
    await this.visitListed(index, (path, file) => sums.add(path, file));
    const listed = await this.listed;
    return {
      windows: sums
        .report()
        .map(({ sessions, ...window }) => ({ ...window, sessions: withPaths(sessions, listed) })),
    };
  }

  private async sessions(index: Index): Promise<IndexResult<'sessions'>> {
    const listed = filesByKey(await this.listFiles());
    const rows = await index.files();
    const states = new Map(
      rows.flatMap(({ path, state, words }) => (words === 'part' ? [] : [[path, state]])),
    );
    const { days, since, until } = periodBounds('week', Date.now());
    const sums = new UsageSums({ by: 'agent', since, until }, lookUpWith(this.models));
    const files: IndexResult<'sessions'>['files'][number][] = [];
    await index.usage(row => {
      const path = listed.get(row.path)?.path;
      if (path !== undefined) {
        sums.add(row);
        files.push({ path, state: states.get(row.path) ?? '', ...marksOf(row) });
      }
    });
    const { input, cacheRead, cacheWrite, output, losses, ...used } = sums.overview().total;
    const [first = '', last = ''] = [days[0], days.at(-1)];
    return {
      week: { first, last, since, ...used },
      files,
    };
  }

  private async listedOf(index: Index, files: readonly SessionFile[]): Promise<IndexResult<'listed'>> {
    const byKey = filesByKey(files);
    const lookUp = lookUpWith(this.models);
    const found: Promise<IndexResult<'listed'>[number]>[] = [];
    this.subagents ??= subagentsIn(index);
    const subagents = await this.subagents;
    await index.figuresOf([...byKey.keys()], ({ path, state, ...figures }) => {
      const file = byKey.get(path);
      if (file !== undefined) {
        found.push(
          listedSession(file, figures, lookUp, this.gate, subagents.get(sessionRoot(figures.session))).then(
            listed => ({
              path: file.path,
              state,
              ...listed,
            }),
          ),
        );
      }
    });
    return Promise.all(found);
  }

  /** Calls back with the usage of every file in the newest list. */
  private async visitListed(index: Index, visit: (path: string, usage: IndexedUsage) => void): Promise<void> {
    const listed = await this.listed;
    await index.usage(file => {
      if (listed?.has(file.path) === true) {
        visit(file.path, file);
      }
    });
  }

  private async find(
    index: Index,
    { text, most, ...wish }: IndexParams<'search'>,
  ): Promise<IndexResult<'search'>> {
    const began = performance.now();
    this.search += 1;
    const { search } = this;
    const listed = await this.listed;
    try {
      const { hits, hasMore, counts } = await searchIndex(
        index,
        listed ?? new Map(),
        { ...wish, query: parseWords(text), isCancelled: () => search !== this.search },
        { most, counting: countingTime, folds: true },
      );
      const sources = [...counts.sources].map(([source, count]) => ({ source, count }));
      return {
        hits: hits.map(resultOfHit),
        hasMore,
        counts: { ...counts, sources },
        milliseconds: performance.now() - began,
      };
    } catch (error) {
      throw error instanceof CancelledError ? new Error(searchReplaced()) : error;
    }
  }

  private known(): { readonly revision: number; readonly madeAnew?: 'damage' | 'unwritable' } {
    const { revision } = this;
    const madeAnew = this.index?.isInMemory === true ? 'unwritable' : this.madeAnew ? 'damage' : undefined;
    return madeAnew === undefined ? { revision } : { revision, madeAnew };
  }

  private post(state: IndexState): void {
    this.tools.post({ type: 'state', state });
  }
}

async function subagentsIn(index: Index): Promise<ReadonlyMap<string, readonly IndexedFigures[]>> {
  const found = new Map<string, IndexedFigures[]>();
  await index.usage(({ session, requests }) => {
    if (session.parent !== '') {
      entryOf(found, sessionRoot(session), () => []).push({ session, requests });
    }
  });
  return found;
}

function resultOfHit({
  file,
  session,
  block,
  context,
  also,
}: SearchHit): IndexResult<'search'>['hits'][number] {
  const { id, title, agent, project } = sessionOfThread(session, block.conversation);
  const { conversation, line, kind, role, source, removed, isError } = block;
  return {
    file: file.path,
    ...{ id, title, agent, project, conversation, line, kind, role, source, removed, isError },
    block: block.block,
    also,
    lastUsed: lastUsed(session.ended, file.modified),
    ...defined({ request: block.request, left: block.left, tool: block.tool, path: block.path, context }),
  };
}

/** Sessions with the paths of their files, as far as these are listed. */
function withPaths(
  sessions: readonly BarSession[],
  listed: ReadonlyMap<string, SessionFile> | undefined,
): IndexResult<'bar'>['sessions'] {
  return sessions.map(({ file, title = '', subagents: _, ...session }) => ({
    ...session,
    title,
    ...defined({ file: listed?.get(file)?.path }),
  }));
}
