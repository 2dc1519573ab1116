import { translate } from '../../src/core/base/translate';
import { parseJson, stringAt, numberAt } from '../../src/core/base/json';
import type { DoorCommand, FromDoor, Shown, ToDoor } from '../../src/protocol/door';
import { doorPaths, framedAddress } from '../../src/protocol/doorAddresses';
import { sessionIdMember } from '../../src/protocol/sessionsPage';
import { Connection } from './connection';
import { type Answer, type Frame, frameEvent, mainId, type MenuItem, ownId, pageId } from './doorApi';
import { followTheme } from './theme';

// Runs in each page of the local server before the page's own script, and stands in for VS Code.

const own = document.currentScript instanceof HTMLScriptElement ? document.currentScript : undefined;

followTheme();
if (location.pathname === doorPaths.start) {
  beginPage();
} else {
  standIn();
}

/** Begins to load the page in the frame, before the frame's own script does anything. */
function beginPage(): void {
  const main = document.createElement('main');
  const page = document.createElement('iframe');
  main.id = mainId;
  page.id = pageId;
  main.hidden = !location.hash.startsWith('#/');
  if (!main.hidden) {
    page.src = location.hash.slice(1);
  }
  main.append(page);
  document.body.append(main);
}

/** The frame around this page, or one that is loaded when it is first needed. */
let frame: Promise<Frame> | undefined;
function shownFrame(): Promise<Frame> {
  frame ??=
    window.parent === window
      ? loadFrame()
      : window.parent.doorFrame === undefined
        ? new Promise(resolve => {
            window.parent.addEventListener(
              frameEvent,
              () => {
                if (window.parent.doorFrame !== undefined) {
                  resolve(window.parent.doorFrame);
                }
              },
              { once: true },
            );
          })
        : Promise.resolve(window.parent.doorFrame);
  return frame;
}

function loadFrame(): Promise<Frame> {
  return new Promise((resolve, reject) => {
    const style = document.createElement('link');
    style.rel = 'stylesheet';
    style.href = '/frame.css';
    const script = document.createElement('script');
    script.nonce = own?.nonce ?? '';
    script.src = '/frame.js';
    script.onload = () => {
      if (window.doorFrame === undefined) {
        reject(new Error('The dialogs are missing.'));
      } else {
        resolve(window.doorFrame);
      }
    };
    script.onerror = () => reject(new Error('The dialogs cannot be loaded.'));
    document.head.append(style, script);
  });
}

/** Connects the page with the server. */
function standIn(): void {
  const connection = new Connection(receive, () => tellOfLoss());
  const send = (message: FromDoor): void => connection.send(message);
  window.door = { run: command => send({ type: 'command', command }), isDrawn: false };

  // A page's view belongs to what it shows, and not to the place that a link led to.
  const { pathname, search } = location;
  const file = new URLSearchParams(search).get('file');
  const stateKey = `state ${pathname} ${file ?? ''}`;
  window.acquireVsCodeApi = () => ({
    postMessage: message => send({ type: 'page', message }),
    getState: () => parseJson(sessionStorage.getItem(stateKey) ?? '') ?? undefined,
    setState: state => {
      try {
        sessionStorage.setItem(stateKey, JSON.stringify(state));
      } catch {
        // The storage is full: the view is only not remembered.
      }
    },
  });

  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') {
      send({ type: 'seen' });
    }
  });
  window.addEventListener('pagehide', () => {
    frame?.then(
      around => around.endAll(window),
      () => undefined,
    );
  });
  document.addEventListener('contextmenu', event => showMenu(event, send));
  document.addEventListener('keydown', event => {
    const isFind = event.key === 'f' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    if (isFind && pathname === doorPaths.session) {
      event.preventDefault();
      send({ type: 'command', command: { kind: 'task', task: 'find' } });
    }
  });
  noteTitle();
  document.addEventListener('DOMContentLoaded', () => {
    const root = document.getElementById('root');
    const look = (): void => {
      if (pathname !== doorPaths.session || root?.dataset['ready'] === 'true') {
        observer.disconnect();
        noteDrawn();
      }
    };
    const observer = new MutationObserver(look);
    if (root !== null) {
      observer.observe(root, { attributeFilter: ['data-ready'] });
    }
    look();
  });

  function receive(message: ToDoor): void {
    switch (message.type) {
      case 'page':
        window.dispatchEvent(new MessageEvent('message', { data: message.message }));
        return;
      case 'title':
        document.title = message.title;
        noteTitle();
        return;
      case 'copy':
        copy(message.text).then(
          isCopied => send({ type: 'answered', id: message.id, answer: Number(isCopied) }),
          () => send({ type: 'answered', id: message.id }),
        );
        return;
      case 'copyLink':
        copy(`${location.origin}${framedAddress(message.address)}`).then(
          isCopied => {
            if (isCopied) {
              say(
                translate('The link was copied. It opens this place in this browser while the program runs.'),
              );
            }
          },
          () => undefined,
        );
        return;
      case 'download':
        download(message.address, message.name);
        return;
      case 'go':
        go(message.address, message.isBeside);
        return;
      case 'choices':
      case 'problem':
      case 'progressed':
        withFrame(around => around.tell(window, message));
        return;
      case 'end':
        withFrame(around => around.end(window, message.id));
        return;
      case 'say':
      case 'choose':
      case 'text':
      case 'longText':
      case 'progress':
        ask(
          message,
          answer => send({ type: 'answered', id: message.id, ...(answer === undefined ? {} : { answer }) }),
          text => send({ type: 'typed', id: message.id, text }),
        );
    }
  }
}

function withFrame(use: (around: Frame) => void): void {
  shownFrame().then(use, () => undefined);
}

/** The frame asks for both when it is there, if the page is faster. */
function noteTitle(): void {
  window.parent.doorFrame?.noteTitle(window, document.title);
}

function noteDrawn(): void {
  if (window.door !== undefined) {
    window.door.isDrawn = true;
  }
  window.parent.doorFrame?.noteDrawn(window);
}

function ask(
  shown: Shown,
  onAnswer: (answer: Answer) => void,
  onTyped: (text: string) => void = () => undefined,
): void {
  withFrame(around => around.ask({ owner: window, shown, onAnswer, onTyped }));
}

function say(sentence: string): void {
  ask({ type: 'say', id: ownId, kind: 'information', sentence, buttons: [] }, () => undefined);
}

function tellOfLoss(): void {
  const sentence = translate('The connection to the program has ended. Start it again to go on.');
  ask({ type: 'say', id: ownId, kind: 'warning', sentence, buttons: [translate('Load Again')] }, pressed => {
    if (pressed === 0) {
      window.parent.location.reload();
    }
  });
}

/** Copies a text; if the browser wants a press of the user for it, after that. */
async function copy(text: string): Promise<boolean> {
  return (
    (await write(text)) ||
    new Promise(resolve => {
      const sentence = translate('Copy this text?');
      ask({ type: 'say', id: ownId, kind: 'information', sentence, buttons: [translate('Copy')] }, pressed =>
        resolve(pressed === 0 && write(text)),
      );
    })
  );
}

/** Only the window with the focus may write: this one, or the frame around it. */
async function write(text: string): Promise<boolean> {
  for (const { navigator } of [window, window.parent]) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // The other one may.
    }
  }
  return false;
}

function download(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}

function go(address: string, isBeside: boolean): void {
  // A page without the frame around it may have loaded the frame's dialogs.
  const around = window.parent === window ? undefined : window.parent.doorFrame;
  if (around !== undefined) {
    around.go(window, address, isBeside);
  } else if (isBeside) {
    window.open(address, '_blank', 'noopener');
  } else {
    location.assign(address);
  }
}

/** The menu that VS Code shows for a row of the list of sessions. */
function showMenu(event: MouseEvent, send: (message: FromDoor) => void): void {
  const row = event.target instanceof Element ? event.target.closest('[data-vscode-context]') : null;
  const context = parseJson(row?.getAttribute('data-vscode-context') ?? '');
  const id = numberAt(context, sessionIdMember);
  if (
    !(row instanceof HTMLElement) ||
    stringAt(context, 'webviewSection') !== 'session' ||
    id === undefined
  ) {
    return;
  }
  event.preventDefault();
  const item = (
    label: string,
    deed: Extract<DoorCommand, { kind: 'session' }>['deed'],
    isApart = false,
  ): MenuItem => ({
    label,
    isApart,
    run: () => send({ type: 'command', command: { kind: 'session', id, deed } }),
  });
  // The key for menus names no place.
  const { left, bottom } = row.getBoundingClientRect();
  const place =
    event.clientX === 0 && event.clientY === 0
      ? { x: left + 24, y: bottom }
      : { x: event.clientX, y: event.clientY };
  withFrame(around =>
    around.showMenu(window, place, [
      item(translate('Open'), 'open'),
      item(translate('Open in New Tab'), 'openToSide'),
      item(translate('Open as Text'), 'openAsText'),
      item(translate('Compare With…'), 'compare'),
      item(translate('Reveal in File Manager'), 'reveal', true),
      item(translate('Copy Path'), 'copyPath'),
    ]),
  );
}
