import type { FirstStep } from '../protocol/inspectorPage';
import type { LinkedPlace, ShownPlace } from '../protocol/shownPlace';
import type { UsagePart } from '../protocol/usageParts';
import type { Address } from './address';
import type { Disposable, Event } from './emitter';
import type { SettingName } from './settings/settingsTable';

/** The interfaces through which an app uses the place where it runs: VS Code, or a browser with a local server. */

export type MessageKind = 'information' | 'warning' | 'error';

/** A line of a list. */
export interface Choice {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
}

export interface ShownProgress {
  /** @param increment percent of the whole */
  readonly report: (increment: number, message?: string) => void;
  readonly onDidCancel: Event<unknown>;
}

export interface ProgressOptions {
  readonly title: string;
  /** True for work that the user need not notice. */
  readonly isQuiet?: boolean;
  readonly canCancel?: boolean;
}

/** A file that the user wants to have: an app writes it to the path, and then says so. */
export interface SaveTarget {
  readonly path: string;
  /** True if an existing file at the path is to be replaced. */
  readonly overwrite: boolean;
  /** Gives the written file to the user, with a sentence about it. Does not wait for the user. */
  readonly saved: (sentence: string) => void;
}

/** The output for error reports. Lines are cleaned of credentials before they are written. */
export interface Log extends Disposable {
  debug(line: string): void;
  warn(line: string): void;
  error(line: string): void;
}

/**
 * The user at one page, and everything around it. All texts may contain foreign parts; a desk shows them as plain text.
 */
export interface Desk {
  /** Resolves with the pressed button; with undefined if the message is closed, which may be never. */
  say<Button extends string>(
    kind: MessageKind,
    sentence: string,
    ...buttons: readonly Button[]
  ): PromiseLike<Button | undefined>;
  progress<Result>(
    options: ProgressOptions,
    work: (progress: ShownProgress) => Promise<Result>,
  ): Promise<Result>;

  /** Undefined if the user cancels, here and in the following questions. */
  choose<Given extends Choice>(choices: readonly Given[], title: string): Promise<Given | undefined>;
  /**
   * Lets the user choose while the list grows.
   * @param fill adds choices at the end; `add` returns false once the list is closed
   */
  chooseWhileFilling<Given extends Choice>(
    words: { readonly title: string; readonly placeholder: string },
    fill: (add: (choices: readonly Given[]) => boolean) => Promise<void>,
  ): Promise<Given | undefined>;
  text(question: {
    readonly title: string;
    readonly prompt: string;
    /** The error of a text, if it has one. */
    readonly problemOf: (text: string) => string | undefined;
  }): Promise<string | undefined>;
  /**
   * Asks where to write a new file.
   * @param beside the file next to which it is suggested; undefined for the usual folder
   * @param kinds the endings of the file by their names
   */
  target(question: {
    readonly name: string;
    readonly beside: Address | undefined;
    readonly kinds?: Readonly<Record<string, readonly string[]>>;
  }): Promise<SaveTarget | undefined>;
  /** Asks for a folder on this machine; resolves with its path. */
  folder(question: { readonly title: string; readonly label: string }): Promise<string | undefined>;
  /** Asks for a file in a folder; resolves with its address. */
  fileIn(question: {
    readonly title: string;
    readonly folder: string;
    readonly kinds: Readonly<Record<string, readonly string[]>>;
  }): Promise<Address | undefined>;

  /** Shows a transcript in an inspector, at a place. */
  show(
    transcript: Address,
    options?: { readonly place?: ShownPlace; readonly isBeside?: boolean },
  ): Promise<void>;
  showUsage(part: UsagePart): Promise<void>;
  showExample(): Promise<void>;
  /** Lets the user choose a transcript. */
  showAny(): Promise<void>;
  /** Shows a file that was dropped on a page. Rejects with one sentence if the address is of no file. */
  showDropped(uri: string): Promise<void>;
  /** Opens a file in the user's editor, at a line, from 1 on. */
  open(file: Address, line?: number): Promise<void>;
  /** Opens a transcript as text, with a line selected, from 1 on. */
  openSource(transcript: Address, line?: number): Promise<void>;
  /** The size from which `openSource` finds no line, in bytes, with the reason; undefined without a limit. */
  readonly sourceLimit: { readonly bytes: number; readonly reason: string } | undefined;
  /** Shows a text that is in no file. */
  openText(name: string, text: string): Promise<void>;
  openSettings(name: SettingName): Promise<void>;
  /** Shows a file in the file manager. */
  reveal(path: string): Promise<void>;
  copy(text: string): Promise<void>;
  /** Copies a link that opens a transcript at a place, and says so. */
  copyLink(transcript: Address, place: LinkedPlace): Promise<void>;
  /** Types a command into a new terminal, where only the user can run it. Undefined without terminals. */
  readonly typeCommand: ((command: string) => void) | undefined;
  /** A step of the first minutes was done. */
  noteStep(step: FirstStep): Promise<void>;
}

/** The files that an app can see. */
export interface Files {
  /** The size in bytes, and the time of the last change. Rejects as Node or VS Code does. */
  stat(file: Address): Promise<{ readonly size: number; readonly modified: number }>;
  read(file: Address): Promise<Uint8Array<ArrayBuffer>>;
  /** The entries of a folder; empty if it is missing or cannot be read. */
  list(
    folder: Address,
  ): Promise<readonly { readonly name: string; readonly isFolder: boolean; readonly isLink: boolean }[]>;
  /**
   * Reports each file below a folder that is created, written or deleted, as far as it can be seen.
   * @param pattern a glob, relative to the folder
   */
  watch(folder: Address, pattern: string, onChanged: (file: Address) => void): Disposable;
}

/** Remembers small values for the next time. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** Everything that all pages share. */
export interface Surroundings {
  readonly log: Log;
  readonly files: Files;
  readonly memory: Memory;
  /** The paths of the folders in which the user works. */
  folders(): readonly string[];
  readonly onDidChangeFolders: Event<unknown>;
}

/** One page, wherever it is shown. */
export interface Surface {
  readonly onMessage: Event<unknown>;
  /** Sends a message. A page that is closed loses it. */
  post(message: unknown): void;
  readonly isVisible: boolean;
  readonly onVisible: Event<boolean>;
  readonly onClose: Event<unknown>;
  /** Names the page, for people. */
  setTitle(title: string): void;
}
