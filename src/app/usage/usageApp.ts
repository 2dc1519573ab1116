import { translate } from '../../core/base/translate';
import { assertNever } from '../../core/model/labels';
import { textChunks, writeNewFile } from '../../node/files/newFile';
import {
  type IndexParams,
  type indexQuestions,
  indexDeleted,
  searchReplaced,
  type usageQuestions,
  type UsageResult,
  whatIfStopped,
} from '../../protocol/indexService';
import { type AnswersOf, answerTo, type ResultOf } from '../../protocol/rpc';
import { type UsageAct, usagePage } from '../../protocol/usagePage';
import type { UsagePart } from '../../protocol/usageParts';
import type { Desk, Log, Surface } from '../desk';
import { type Disposable, disposeAll } from '../emitter';
import { Page } from '../page';
import { SessionIds } from '../sessions/sessionIds';
import type { SessionIndex } from '../sessions/sessionIndex';
import type { Configuration } from '../settings/configuration';
import { pathToFileURL } from 'node:url';

interface UsageTools {
  readonly index: SessionIndex;
  readonly configuration: Configuration;
  readonly log: Log;
}

interface AnswerContext {
  readonly index: SessionIndex;
  readonly ids: SessionIds<{ readonly path: string }>;
}

const numbered = (
  sessions: ResultOf<typeof indexQuestions, 'bar'>['sessions'],
  ids: AnswerContext['ids'],
): UsageResult<'bar'>['sessions'] =>
  sessions.map(({ file, ...session }) =>
    file === undefined ? session : { ...session, file: ids.of({ path: file }) },
  );

/** The answers of the index, with numbers for the files. */
const answers: AnswersOf<typeof usageQuestions, AnswerContext> = {
  usage: ({ index }, params) => index.ask({ name: 'usage', params }),
  radar: ({ index }, params) => index.ask({ name: 'radar', params }),
  bar: async ({ index, ids }, params) => {
    const { sessions } = await index.ask({ name: 'bar', params });
    return { sessions: numbered(sessions, ids) };
  },
  quotas: async ({ index, ids }, params) => {
    const { windows } = await index.ask({ name: 'quotas', params });
    return {
      windows: windows.map(({ sessions, ...window }) => ({ ...window, sessions: numbered(sessions, ids) })),
    };
  },
  whatIf: async ({ index, ids }, params) => {
    const answer = await index.ask({ name: 'whatIf', params });
    return { ...answer, rows: answer.rows.map(row => ({ ...row, file: ids.of({ path: row.file }) })) };
  },
  search: async ({ index, ids }, params) => {
    const result = await index.ask({ name: 'search', params });
    return { ...result, hits: result.hits.map(hit => ({ ...hit, file: ids.of({ path: hit.file }) })) };
  },
};

/** The title of each part of the page. */
export const usageTitles: Readonly<Record<UsagePart, string>> = {
  usage: translate('Usage'),
  whatIf: translate('What if'),
  search: translate('Search in all sessions'),
};

/**
 * The pages with the usage of all sessions, what-if, and the search in them. The index behind them is kept up to date
 * only while a page is open.
 */
export class UsageApp implements Disposable {
  private readonly pages = new Set<UsagePage>();
  private readonly context: AnswerContext;
  private readonly subscriptions: readonly Disposable[];

  constructor(private readonly tools: UsageTools) {
    const { configuration, index } = tools;
    this.context = { index, ids: new SessionIds() };
    this.subscriptions = [
      index.onDidChange(state => this.pages.forEach(({ page }) => page.tell({ type: 'state', state }))),
      index.onDidPrice(progress =>
        this.pages.forEach(({ page }) => page.tell({ type: 'pricing', progress })),
      ),
      configuration.onDidChange('index.enabled', () => this.update()),
      configuration.onDidChange('models', () => this.update()),
    ];
  }

  /** @param part the one to show; undefined for the one that the page showed last */
  open(surface: Surface, desk: Desk, part: UsagePart | undefined): UsagePage {
    const { index, log } = this.tools;
    const opened = new UsagePage(surface, part, {
      ...this.context,
      log,
      desk,
      onClose: () => {
        this.pages.delete(opened);
        if (this.pages.size === 0) {
          index.end();
        }
      },
    });
    this.pages.add(opened);
    index.update();
    return opened;
  }

  /** Deletes the index, and says so. */
  async deleteIndex(desk: Desk): Promise<void> {
    await this.tools.index.delete();
    desk.say('information', indexDeleted());
  }

  dispose(): void {
    disposeAll(this.subscriptions);
  }

  private update(): void {
    if (this.pages.size > 0) {
      this.tools.index.update();
    }
  }
}

/** One page of usage. */
export class UsagePage {
  readonly page: Page<typeof usagePage>;

  constructor(
    private readonly surface: Surface,
    private wanted: UsagePart | undefined,
    private readonly tools: AnswerContext & {
      readonly log: Log;
      readonly desk: Desk;
      readonly onClose: () => void;
    },
  ) {
    const { index, log, desk } = tools;
    this.page = new Page(surface, {
      log,
      desk,
      contract: usagePage,
      title: translate('Usage'),
      onReady: () => this.tellAll(),
      answer: question => answerTo(answers, tools, question),
      act: act => this.act(act),
      isExpected: sentence => [searchReplaced(), whatIfStopped(), indexDeleted()].includes(sentence),
      onVisible: isVisible => {
        if (isVisible) {
          index.update();
        }
      },
      onClose: () => tools.onClose(),
    });
  }

  /** Shows a part, as soon as the page is ready. */
  show(part: UsagePart): void {
    this.surface.setTitle(usageTitles[part]);
    // A hidden page is made again and reports when it is ready.
    if (this.page.isReady) {
      this.page.tell({ type: 'turnTo', part });
    } else {
      this.wanted = part;
    }
  }

  private tellAll(): void {
    if (this.wanted !== undefined) {
      this.page.tell({ type: 'turnTo', part: this.wanted });
      this.wanted = undefined;
    }
    const { state } = this.tools.index;
    if (state !== undefined) {
      this.page.tell({ type: 'state', state });
    }
  }

  private async act(act: UsageAct): Promise<void> {
    const { index, desk, ids } = this.tools;
    switch (act.kind) {
      case 'update':
        index.update();
        return;
      case 'stop':
        index.stop();
        return;
      case 'stopPricing':
        index.stopPricing();
        return;
      case 'openSettings':
        return desk.openSettings('index.enabled');
      case 'openExample':
        return desk.showExample();
      case 'turnTo':
        this.surface.setTitle(usageTitles[act.part]);
        return;
      case 'export':
        return this.exportTable(act.period);
      case 'open': {
        const found = ids.file(act.file);
        return found && desk.show(pathToFileURL(found.path).href, { place: act.place });
      }
      default:
        return assertNever(act);
    }
  }

  private async exportTable(period: IndexParams<'usage'>): Promise<void> {
    const { index, desk } = this.tools;
    const target = await desk.target({
      name: 'usage.csv',
      beside: undefined,
      kinds: { CSV: ['csv'], JSON: ['json'] },
    });
    if (target !== undefined) {
      const form = target.path.toLowerCase().endsWith('.json') ? 'json' : 'csv';
      const text = await index.ask({ name: 'table', params: { ...period, form } });
      await writeNewFile(target.path, textChunks(text), { overwrite: true });
      target.saved(translate('The export was saved.'));
    }
  }
}
