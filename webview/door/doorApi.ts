import type { DoorCommand, Shown, ToDoor } from '../../src/protocol/door';

/** An answer of the user, as in `fromDoor`. */
export type Answer = number | string | undefined;

/** The number of a page's own messages. The server counts from 1. */
export const ownId = 0;

/** The ids of the frame's page and of the part around it, which the frame's first script makes. */
export const pageId = 'door-page';
export const mainId = 'door-main';

/** Tells the page that the frame's bundle is there. */
export const frameEvent = 'doorFrame';

/** A question to the user, or something that the user is told. */
export interface Asked {
  /** The window whose page asks. Its questions end with it. */
  readonly owner: Window;
  readonly shown: Shown;
  readonly onAnswer: (answer: Answer) => void;
  readonly onTyped: (text: string) => void;
}

export interface MenuItem {
  readonly label: string;
  readonly run: () => void;
  /** For one of several choices. */
  readonly isChecked?: boolean;
  /** True if a line is above it. */
  readonly isApart?: boolean;
}

/** News about a question. */
export type AskedNews = Extract<ToDoor, { type: 'choices' | 'problem' | 'progressed' }>;

/** The window that shows dialogs and menus: the frame around a page, or the page's own window. */
export interface Frame {
  ask(asked: Asked): void;
  tell(owner: Window, news: AskedNews): void;
  end(owner: Window, id: number): void;
  /** @param id undefined for all questions of the owner */
  endAll(owner: Window): void;
  /** A menu at a place in the owner's window. */
  showMenu(
    owner: Window,
    place: { readonly x: number; readonly y: number },
    items: readonly MenuItem[],
  ): void;
  /** Shows another page instead of the owner's, or in a new tab. */
  go(owner: Window, address: string, isBeside: boolean): void;
  noteTitle(owner: Window, title: string): void;
  /** The owner has drawn what it is about. */
  noteDrawn(owner: Window): void;
}

/** A page inside the frame. */
export interface Door {
  /** Gives the page's app a command of the frame. */
  run(command: DoorCommand): void;
  isDrawn: boolean;
}

declare global {
  interface Window {
    /** Set by the frame's bundle. */
    doorFrame?: Frame;
    door?: Door;
  }
}
