import { doorPaths, framedAddress, placeIn, usagePartIn } from '../../../src/protocol/doorAddresses';
import { createStore, type Store, useSelected } from '../../state/store';

interface Main {
  /** Undefined if no page is open. */
  readonly address: string | undefined;
  /** The path of the page that is loaded. */
  readonly path: string | undefined;
  readonly title: string;
  /** True if a page has drawn what it is about, or if there is none. */
  readonly isDrawn: boolean;
}

export const programName = 'Context Inspector';

/** The page beside the list. The frame's own address names it, so that it comes back. */
export class MainPage {
  private readonly store: Store<Main>;
  private onShown: () => void = () => undefined;

  constructor(
    private readonly frame: HTMLIFrameElement,
    private readonly place: HTMLElement,
  ) {
    const address = place.hidden ? undefined : location.hash.slice(1);
    this.store = createStore<Main>({
      address,
      path: undefined,
      title: programName,
      isDrawn: address === undefined,
    });
    frame.addEventListener('load', () => this.loaded());
    if (this.shown() !== undefined && frame.contentDocument?.readyState === 'complete') {
      this.loaded();
    }
    window.addEventListener('hashchange', () => {
      const wanted = location.hash.slice(1);
      if (wanted.startsWith('/') && wanted !== this.shown()) {
        this.go(wanted);
      }
    });
  }

  readonly use = (): Main => useSelected(this.store, main => main);

  get window(): Window | null {
    return this.frame.contentWindow;
  }

  /** Calls when the page is to be seen. */
  listen(onShown: () => void): void {
    this.onShown = onShown;
  }

  /** Shows a page, and gives it the keys. A page that is open already only goes to the place. */
  go(address: string): void {
    this.onShown();
    this.place.hidden = false;
    this.frame.focus();
    const { pathname, searchParams } = new URL(address, location.origin);
    const shown = new URL(this.shown() ?? doorPaths.start, location.origin);
    const door = this.window?.door;
    const part = usagePartIn(searchParams);
    const place = placeIn(searchParams);
    if (door !== undefined && pathname === shown.pathname) {
      if (pathname === doorPaths.usage && part !== undefined) {
        door.run({ kind: 'usage', part });
        return;
      }
      if (pathname === doorPaths.session && searchParams.get('file') === shown.searchParams.get('file')) {
        if (place !== undefined) {
          door.run({ kind: 'show', place });
        }
        return;
      }
    }
    this.store.update(main => ({ ...main, address }));
    this.load(address);
  }

  /** The frame has loaded a page, perhaps because the user went back. */
  private loaded(): void {
    const shown = this.shown();
    if (shown !== undefined) {
      history.replaceState(null, '', framedAddress(shown));
      const { pathname } = new URL(shown, location.origin);
      this.store.update(main => ({ ...main, address: shown, path: pathname }));
      this.place.hidden = false;
      this.noteTitle(this.frame.contentDocument?.title ?? programName);
      // A page that the server refused draws nothing.
      if (this.window?.door?.isDrawn !== false) {
        this.noteDrawn();
      }
    }
  }

  noteTitle(title: string): void {
    this.store.update(main => ({ ...main, title }));
    document.title = `${title} – ${programName}`;
    this.frame.title = title;
  }

  noteDrawn(): void {
    // The keys of the page work at once, unless the user is elsewhere already.
    if (document.activeElement === document.body || document.activeElement === this.frame) {
      this.window?.focus();
    }
    this.store.update(main => ({ ...main, isDrawn: true }));
  }

  private load(address: string): void {
    const { window } = this;
    if (window === null) {
      return;
    }
    // The first page replaces the empty one, which nobody wants to go back to.
    if (this.shown() === undefined) {
      window.location.replace(address);
    } else {
      window.location.assign(address);
    }
  }

  /** The address of the loaded page; undefined for the empty page of a new frame. */
  private shown(): string | undefined {
    const { protocol, pathname, search } = this.window?.location ?? location;
    return protocol === 'about:' || this.window === null ? undefined : `${pathname}${search}`;
  }
}
