import * as v from 'valibot';
import { translate } from '../../core/base/translate';
import { colourModes } from '../../core/drawing/palette';
import type { ExportForm } from '../../core/model/exportForm';
import { assertNever } from '../../core/model/labels';
import { type InspectorAct, inspectorPage, type PageTask } from '../../protocol/inspectorPage';
import { hostQuestions } from '../../protocol/questions';
import { type AnswersOf, answerTo, isQuestion } from '../../protocol/rpc';
import type { LinkedPlace, ShownPlace } from '../../protocol/shownPlace';
import type { AskService } from '../asking/askService';
import type { AskSession } from '../asking/askSession';
import type { Desk, SaveTarget, Surface, Surroundings } from '../desk';
import { type Disposable, disposeAll } from '../emitter';
import { Page } from '../page';
import type { Configuration } from '../settings/configuration';
import { transcriptClosed } from '../threads/askedThread';
import { exportFile } from './exportActs';
import { handOffSession } from './handOffActs';
import { openParent, openPath, openSubagent, revealSource } from './transcriptActs';
import type { TranscriptDocument } from './transcriptDocument';

export interface EditorTools {
  readonly desk: Desk;
  readonly surroundings: Surroundings;
  readonly configuration: Configuration;
  readonly askService: AskService;
}

const coloursKey = 'colours';
/** True once the list of findings has been open. */
export const lookedKey = 'looked';

/** The answers to page questions that the app answers itself. */
const answers: AnswersOf<typeof hostQuestions, EditorTools> = {
  askOffer: ({ askService }) => askService.offer(),
};

/** One page that shows a transcript. It may be discarded and made again at any time; a new page asks for everything. */
export class TranscriptEditor {
  private readonly page: Page<typeof inspectorPage>;
  private readonly subscriptions: readonly Disposable[];
  /** The targets of exports that commands requested from the page, by request number. */
  private readonly exportTargets = new Map<number, SaveTarget | undefined>();
  private lastExport = 0;
  private wantedPlace: ShownPlace | undefined;
  private readonly asks: AskSession;

  constructor(
    readonly document: TranscriptDocument,
    surface: Surface,
    private readonly tools: EditorTools,
  ) {
    const { configuration, desk, surroundings } = tools;
    this.asks = tools.askService.sessionOf(document, desk, news => this.page.tell({ type: 'ask', news }));
    this.page = new Page(surface, {
      log: surroundings.log,
      desk,
      contract: inspectorPage,
      title: document.fileName,
      onReady: () => this.tellAll(),
      answer: question =>
        isQuestion(hostQuestions, question) ? answerTo(answers, tools, question) : document.passOn(question),
      act: act => this.act(act),
      isExpected: sentence => sentence === transcriptClosed,
      onVisible: isVisible => document.setVisible(this, isVisible),
      onClose: () => this.dispose(),
    });
    this.subscriptions = [
      document.onDidPost(message => this.page.tell(message)),
      configuration.onDidChange('prune', () => this.tellPruneOptions()),
      configuration.onDidChange('hiddenWaste', () => this.tellHiddenWaste()),
    ];
    document.setVisible(this, surface.isVisible);
  }

  private dispose(): void {
    this.asks.dispose();
    this.document.setVisible(this, false);
    disposeAll(this.subscriptions);
  }

  /**
   * Exports the visible content. Only the page knows the request and the options.
   * @returns false if there is no page yet
   */
  wantExport(form: ExportForm, target?: SaveTarget): boolean {
    if (!this.page.isReady) {
      return false;
    }
    this.lastExport += 1;
    this.exportTargets.set(this.lastExport, target);
    this.page.tell({ type: 'exportWanted', form, ask: this.lastExport });
    return true;
  }

  /** Shows a place as soon as there is a page with a session. */
  show(place: ShownPlace): void {
    if (this.page.isReady) {
      this.page.tell({ type: 'show', place });
    } else {
      this.wantedPlace = place;
    }
  }

  /** Tells the page to run a command's task. */
  run(task: PageTask): void {
    this.page.tell({ type: 'task', task });
  }

  private tellPruneOptions(): void {
    this.page.tell({ type: 'pruneOptions', options: this.tools.configuration.pruneOptions() });
  }

  private tellHiddenWaste(): void {
    this.page.tell({ type: 'hiddenWaste', kinds: this.tools.configuration.get('hiddenWaste') });
  }

  /** Sends everything to a page that has started. */
  private tellAll(): void {
    const { memory } = this.tools.surroundings;
    this.tellPruneOptions();
    this.tellHiddenWaste();
    const mode = v.safeParse(v.picklist(colourModes), memory.get(coloursKey));
    if (mode.success) {
      this.page.tell({ type: 'colours', mode: mode.output });
    }
    if (memory.get(lookedKey) !== true) {
      this.page.tell({ type: 'neverLooked' });
    }
    this.document.postAgain();
    if (this.wantedPlace !== undefined) {
      this.page.tell({ type: 'show', place: this.wantedPlace });
      this.wantedPlace = undefined;
    }
    this.asks.postAgain();
  }

  private async act(act: InspectorAct): Promise<void> {
    const { configuration, desk, surroundings } = this.tools;
    const { memory } = surroundings;
    switch (act.kind) {
      case 'revealSource':
        return revealSource(this.document, act.block, this.tools);
      case 'openPath':
        return openPath(this.document, act.block, configuration.get('sessions.folders'), this.tools);
      case 'openSubagent':
        return openSubagent(this.document, act.id, this.tools);
      case 'openParent':
        return openParent(this.document, this.tools);
      case 'savePruneOptions':
        return configuration.savePruneOptions(act.options);
      case 'export': {
        const { ask = 0 } = act;
        if (act.ask !== undefined && !this.exportTargets.has(ask)) {
          throw new Error(translate('The extension refused an invalid message from this page.'));
        }
        const target = this.exportTargets.get(ask);
        this.exportTargets.delete(ask);
        return exportFile(this.document, act, target, desk);
      }
      case 'handOff':
        return handOffSession(this.document, act, this.tools);
      case 'openAsText':
        return desk.openSource(this.document.address);
      case 'openAs': {
        const formats = this.document.otherFormats.map(({ id, name, fits }) => ({
          id,
          label: name,
          description: fits ? translate('Likely match') : '',
        }));
        const chosen = await desk.choose(formats, translate('Open as'));
        if (chosen !== undefined) {
          this.document.openAs(chosen.id);
        }
        return;
      }
      case 'openExample':
        return desk.showExample();
      case 'copyLink':
        return desk.copyLink(this.document.address, placeOf(act));
      case 'chooseColours':
        await memory.update(coloursKey, act.mode);
        return;
      case 'hideWaste':
        return configuration.saveHiddenWaste(act.kinds);
      case 'looked':
        await memory.update(lookedKey, true);
        return;
      case 'step':
        return desk.noteStep(act.step);
      case 'askModel':
        return this.asks.handle(act.ask);
      case 'retry':
        this.document.open();
        return;
      case 'cancel':
        this.document.cancel();
        return;
      default:
        return assertNever(act);
    }
  }
}

/** The place of a link. The main conversation needs no number. */
function placeOf({ conversation, request, block }: LinkedPlace): LinkedPlace {
  return {
    ...(conversation === undefined || conversation === 0 ? {} : { conversation }),
    ...(request === undefined ? {} : { request }),
    ...(block === undefined ? {} : { block }),
  };
}
