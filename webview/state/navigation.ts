import { at } from '../../src/core/base/numbers';
import type { ExportForm } from '../../src/core/model/exportForm';
import type { InspectorAct, PageTask } from '../../src/protocol/inspectorPage';
import type { ShownPlace } from '../../src/protocol/shownPlace';
import { pageWords } from '../words/page';
import { placeWords } from '../words/place';
import { requestInView, requestsByThread } from './derived';
import { exportAct } from './exportAct';
import type { AppState } from './inspector';
import { focusFind } from './keys';
import { placeInView, viewOfPlace } from './place';
import type { Store } from './store';
import type { ViewState } from './viewState';

export interface NavigationTools {
  readonly store: Store<AppState>;
  readonly changeView: (change: Partial<ViewState>) => void;
  readonly act: (act: InspectorAct) => void;
  readonly notify: (notice: string) => void;
}

/** The targets of links, commands and keys. Actions that need a session wait for it. */
export class Navigation {
  private wanted: ShownPlace | undefined;
  private waiting: (() => void)[] = [];

  constructor(private readonly tools: NavigationTools) {}

  /** Goes to a place as soon as there is a session. */
  show(place: ShownPlace): void {
    this.wanted = place;
    this.goToWanted();
  }

  run(task: PageTask): void {
    const { store, notify } = this.tools;
    switch (task) {
      case 'copyLink':
        this.copyLink();
        return;
      case 'find':
        if (store.get().page.kind === 'waiting') {
          notify(pageWords.stillReading);
        } else {
          focusFind();
        }
        return;
      case 'handOff':
        this.onceShown(() => this.handOff());
        return;
      case 'showKeys':
        store.update(state => ({ ...state, keysShown: true }));
        return;
    }
  }

  copyLink(): void {
    const { store, act, notify } = this.tools;
    const { page, view } = store.get();
    const place = page.kind === 'session' ? placeInView(page.session.columns, view) : undefined;
    if (place === undefined) {
      notify(page.kind === 'waiting' ? pageWords.stillReading : placeWords.nothingToLink);
    } else {
      act({ kind: 'copyLink', ...place });
    }
  }

  handOff(): void {
    const { store, act, notify } = this.tools;
    const { page, view } = store.get();
    const { columns } = page.kind === 'session' ? page.session : {};
    const request = columns && requestInView(columns, view);
    if (columns === undefined || request === undefined) {
      notify(pageWords.nothingToHandOff);
    } else {
      const all = requestsByThread(columns).get(at(columns.requests.thread, request));
      act({ kind: 'handOff', request, isWhole: all?.at(-1) === request });
    }
  }

  /** @param ask the number of a command's request for an export */
  exportView(form: ExportForm, ask?: number): void {
    const { store, act, notify } = this.tools;
    const wanted = exportAct(store.get(), form, ask);
    if (wanted === undefined) {
      notify(pageWords.nothingToExport);
    } else {
      act(wanted);
    }
  }

  /** Runs a command's action once the awaited session is shown. */
  onceShown(action: () => void): void {
    if (this.tools.store.get().page.kind === 'waiting') {
      this.waiting.push(action);
    } else {
      action();
    }
  }

  sessionShown(): void {
    this.goToWanted();
    const actions = this.waiting;
    this.waiting = [];
    for (const action of actions) {
      action();
    }
  }

  /** There will be no session. A place is still kept if the user cancelled. */
  giveUp({ keepsPlace }: { readonly keepsPlace: boolean }): void {
    this.waiting = [];
    this.wanted = keepsPlace ? this.wanted : undefined;
  }

  private goToWanted(): void {
    const { store, changeView, notify } = this.tools;
    const { page } = store.get();
    if (this.wanted === undefined || page.kind !== 'session') {
      return;
    }
    const found = viewOfPlace(page.session.columns, this.wanted);
    this.wanted = undefined;
    if (found.ok) {
      changeView(found.change);
    } else {
      notify(found.sentence);
    }
  }
}
