/// <reference types="node" />
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import type { Desk } from '../../src/app/desk';
import { lookedKey } from '../../src/app/transcript/transcriptEditor';
import { doorPaths, sessionAddress } from '../../src/protocol/doorAddresses';
import { startView, type View } from '../../src/view/main';
import { keptPage, onEnd, type PageOptions } from './pages';
import { readWhenSettled, tellWhenSettled } from './settled';

/** A call of an app to its desk. */
export interface Deed {
  readonly what: keyof Desk | 'saved';
  readonly details: readonly unknown[];
}

/** A page of the local server, with the real apps and threads behind it. */
export interface OpenAddress {
  readonly page: Page;
  readonly errors: readonly string[];
  /** The calls to the desk since the page was opened. */
  readonly deeds: readonly Deed[];
  /** Waits for a deed, and returns the first; `after` leaves out as many deeds of any kind. */
  readonly deed: (what: Deed['what'], after?: number) => Promise<Deed>;
  /** Checks that nothing failed meanwhile. */
  readonly close: () => Promise<void>;
}

/** The page of a transcript. */
export interface OpenDoor extends OpenAddress {
  /** The path of the transcript. */
  readonly file: string;
}

export interface AddressOptions extends PageOptions {
  /** The user's settings, by their full names. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Keys of providers in the environment. */
  readonly keys?: Readonly<Record<string, string>>;
  /** True to keep the session from the page until `release`, because no real file is read as slowly as a test wants. */
  readonly isHeld?: boolean;
  /** True if the page stays where it leads to a transcript, which takes long to open. */
  readonly stays?: boolean;
  /** True if the test reads the page until it sees what it waits for, and not only once the page has settled. */
  readonly readsAtOnce?: boolean;
}

export interface DoorOptions extends AddressOptions {
  /** The transcript's text, for a file with this name. */
  readonly text?: string | Uint8Array;
  readonly name?: string;
  /** The path of a transcript that exists. */
  readonly file?: string;
}

/** The folders of one process's user, in a temporary one. */
interface Home {
  readonly folder: string;
  /** The folder in which the user works. */
  readonly work: string;
  readonly settings: string;
}

declare global {
  interface Window {
    policyViolations: readonly string[];
    /** Gives the page the messages that are held, also those that come later. */
    release: () => void;
    /**
     * Shows a stage of opening that a real file may be too quick for, while the session is held. False if the session has
     * not come yet.
     */
    showStage: (phase: 'reading' | 'measuring') => boolean;
  }
}

/** Longest wait for a deed, in milliseconds. */
const patience = 30_000;
/** Variables that lead agents and this program to folders of the user. */
const leading = /_HOME$|_DIR$|_FOLDER$|^(?:HOME|USERPROFILE|APPDATA|LOCALAPPDATA)$|_API_KEY$/;

let started: Promise<{ readonly view: View; readonly home: Home }> | undefined;
let files = 0;
let openings = 0;
const environment: Record<string, string> = {};
const news = new EventEmitter();
let deeds: Deed[] = [];
let notices: string[] = [];

function note(what: Deed['what'], ...details: readonly unknown[]): Promise<void> {
  deeds.push({ what, details });
  news.emit(what);
  return Promise.resolve();
}

/**
 * Notes what is asked of a desk. The page still shows what it would show; what leaves the browser is only noted: the
 * clipboard, editors, the file manager.
 */
const recording = (desk: Desk): Desk => ({
  ...desk,
  say: (kind, sentence, ...buttons) => {
    void note('say', kind, sentence);
    return desk.say(kind, sentence, ...buttons);
  },
  target: async question => {
    await note('target', question.name);
    const target = await desk.target(question);
    return target === undefined
      ? undefined
      : { ...target, saved: sentence => void note('saved', target.path, sentence) };
  },
  open: (file, line) => note('open', fileURLToPath(file), line),
  openSource: (file, line) => note('openSource', fileURLToPath(file), line),
  openSettings: name => note('openSettings', name),
  openText: (name, text) => note('openText', name, text),
  reveal: path => note('reveal', path),
  copy: text => note('copy', text),
  copyLink: (file, place) => note('copyLink', fileURLToPath(file), place),
  show: async (file, options) => {
    await note('show', fileURLToPath(file), options?.place, options?.isBeside === true);
    await desk.show(file, options);
  },
  showUsage: async part => {
    await note('showUsage', part);
    await desk.showUsage(part);
  },
  showExample: async () => {
    await note('showExample');
    await desk.showExample();
  },
  noteStep: step => note('noteStep', step),
});

/** The server of this process, and the folders of its user. */
export function doorOf(): Promise<{ readonly view: View; readonly home: Home }> {
  started ??= start();
  return started;
}

async function start() {
  const folder = mkdtempSync(join(tmpdir(), 'context-inspector-pages-'));
  const home = { folder, work: join(folder, 'work'), settings: join(folder, 'config', 'settings.json') };
  mkdirSync(home.work);
  mkdirSync(dirname(home.settings));
  // Nothing of the person who runs the tests is read.
  Object.keys(process.env)
    .filter(name => leading.test(name))
    .forEach(name => Reflect.deleteProperty(process.env, name));
  Object.assign(process.env, { HOME: folder, USERPROFILE: folder, XDG_CACHE_HOME: join(folder, 'cache') });
  const view = await startView({
    file: undefined,
    port: 0,
    editor: undefined,
    folders: [home.work],
    environment,
    notice: sentence => notices.push(sentence),
    bundles: resolve('dist'),
    config: dirname(home.settings),
    around: recording,
  });
  onEnd(() => view.close());
  // Threads of the server may write until the process has waited for their end.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return { view, home };
}

/** Opens an address of the local server. */
export async function openAddress(
  address: string,
  {
    theme = 'dark',
    settings = {},
    keys = {},
    isHeld = false,
    stays = false,
    readsAtOnce = false,
    ...options
  }: AddressOptions = {},
): Promise<OpenAddress> {
  const { view, home } = await doorOf();
  const origin = `http://127.0.0.1:${view.server.port}`;
  const { page, errors } = await keptPage('door', options, async opened => {
    await tellWhenSettled(opened);
    await opened.addInitScript(() => {
      // A page keeps its view for the next time, which is another test.
      const [, opening = ''] = /(?:^|; )opening=(\d+)/.exec(document.cookie) ?? [];
      if (sessionStorage.getItem('opening') !== opening) {
        sessionStorage.clear();
        sessionStorage.setItem('opening', opening);
      }
      const types: readonly unknown[] = ['progress', 'session', 'update'];
      const typeOf = (data: unknown): unknown =>
        typeof data === 'object' && data !== null && 'type' in data ? data.type : undefined;
      const held: unknown[] = [];
      let isHolding = /(?:^|; )held=yes/.test(document.cookie);
      window.addEventListener('message', event => {
        const data: unknown = event.data;
        if (isHolding && types.includes(typeOf(data))) {
          event.stopImmediatePropagation();
          held.push(data);
        }
      });
      const pass = (data: unknown): void => {
        window.dispatchEvent(new MessageEvent('message', { data }));
      };
      window.release = () => {
        isHolding = false;
        held.splice(0).forEach(pass);
      };
      window.showStage = phase => {
        const session = held.find(data => typeOf(data) === 'session');
        isHolding = false;
        if (phase === 'measuring' && typeof session === 'object') {
          pass({ ...session, pending: phase });
        }
        pass({ type: 'progress', progress: { phase, done: 1, total: 2 } });
        isHolding = true;
        return session !== undefined;
      };
      const violations: string[] = [];
      window.policyViolations = violations;
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, sample }) => {
        violations.push(`${violatedDirective} ${sample}`);
      });
    });
    await opened.context().grantPermissions(['clipboard-write'], { origin });
    const [cookie = ''] = view.server.cookie.split(';');
    const [name = '', value = ''] = cookie.split('=');
    await opened.context().addCookies([{ name, value, url: origin }]);
    await opened.goto(origin);
  });
  readWhenSettled(page, !readsAtOnce);
  openings += 1;
  await page.context().addCookies([
    { name: 'context-inspector-theme', value: theme, url: origin },
    { name: 'opening', value: String(openings), url: origin },
    { name: 'held', value: isHeld ? 'yes' : 'no', url: origin },
  ]);
  const own: { readonly deeds: Deed[]; readonly notices: string[] } = { deeds: [], notices: [] };
  ({ deeds, notices } = own);
  Object.keys(environment).forEach(name => Reflect.deleteProperty(environment, name));
  Object.assign(environment, keys);
  writeFileSync(home.settings, JSON.stringify(settings));
  rmSync(join(dirname(home.settings), 'replays'), { recursive: true, force: true });
  // The list Worth a look does not open by itself.
  writeFileSync(join(dirname(home.settings), 'memory.json'), JSON.stringify({ [lookedKey]: true }));
  const others = page.context().pages();
  await Promise.all(others.filter(other => other !== page).map(other => other.close()));
  await page.context().unrouteAll();
  if (stays) {
    // A browser that gets no content keeps the page that it has.
    const isTranscript = ({ pathname }: URL): boolean => pathname === doorPaths.session;
    await page.context().route(isTranscript, route => route.fulfill({ status: 204 }));
  }
  await page.goto(`${origin}${address}`);
  return {
    page,
    errors,
    deeds: own.deeds,
    deed: async (what, after = 0) => {
      const find = (): Deed | undefined => own.deeds.slice(after).find(each => each.what === what);
      const signal = AbortSignal.timeout(patience);
      // An earlier deed of this kind may come first.
      let found = find();
      while (found === undefined) {
        await once(news, what, { signal });
        found = find();
      }
      return found;
    },
    close: async () => {
      const violations = await page.evaluate(() => window.policyViolations);
      // Anything else is told in the page as well.
      const notices = own.notices.filter(sentence => /^(?:A page sent|Refused)/.test(sentence));
      assert.deepEqual({ errors, violations, notices }, { errors: [], violations: [], notices: [] });
    },
  };
}

/** Opens a transcript. */
export async function openTranscript({
  text = '',
  name = 'session.jsonl',
  file,
  ...options
}: DoorOptions): Promise<OpenDoor> {
  const path = file ?? (await writeTranscript(name, text));
  return { ...(await openAddress(sessionAddress(path), options)), file: path };
}

/** Opens a transcript, and waits for its final figures. */
export async function openThroughDoor(options: DoorOptions): Promise<OpenDoor> {
  const opened = await openTranscript(options);
  await isFinal(opened.page);
  return opened;
}

/** Gives a page the session that was held, and waits for its final figures. */
export async function release(page: Page): Promise<void> {
  await page.evaluate(() => window.release());
  await isFinal(page);
}

/** Writes a file that no other test has used into the folder where the user works. */
export async function writeTranscript(name: string, text: string | Uint8Array): Promise<string> {
  const { home } = await doorOf();
  files += 1;
  const path = join(home.work, String(files), name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** Waits until the page shows a transcript that is counted and scanned. */
export async function isFinal(page: Page): Promise<void> {
  await page.locator('#root[data-ready="true"]').waitFor({ state: 'attached' });
  await page.locator('.progress-strip').waitFor({ state: 'detached' });
}

/** The transcript that comes with the program. */
export const exampleFile = resolve('media/example/session.jsonl');
