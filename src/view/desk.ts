import { realpathSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Address, pathOf } from '../app/address';
import type { Choice, Desk } from '../app/desk';
import { Emitter } from '../app/emitter';
import { formatBytes } from '../core/base/format';
import { translate } from '../core/base/translate';
import { readRegular } from '../node/files/fileByteSource';
import { describeAnyError, isMissingFile } from '../node/files/fileErrors';
import type { ShownPlace } from '../protocol/shownPlace';
import type { UsagePart } from '../protocol/usageParts';
import type { Downloads } from './downloads';
import type { OpenInEditor } from './editor';
import { plainLine, type PageSocket } from './socket';

/** The addresses of the pages. */
interface PageAddresses {
  session(path: string, place?: ShownPlace): string;
  usage(part: UsagePart): string;
  readonly example: string;
}

export interface DeskTools {
  readonly pages: PageAddresses;
  readonly downloads: Downloads;
  /** Undefined if the user named no editor. */
  readonly editor: OpenInEditor | undefined;
  readonly reveal: (path: string) => Promise<void>;
  /** The path of the file with the settings. */
  readonly settingsFile: () => Promise<string>;
}

/** The largest file that a page shows as text, in bytes. */
const largestText = 2_000_000;

/** The user at one page in a browser. */
export function pageDesk(socket: PageSocket, tools: DeskTools): Desk {
  const { pages } = tools;
  const go = (address: string, isBeside = false): Promise<void> => {
    socket.send({ type: 'go', address, isBeside });
    return Promise.resolve();
  };

  const say: Desk['say'] = async (kind, sentence, ...buttons) => {
    const { answer } = socket.ask({
      type: 'say',
      kind,
      sentence: plainLine(sentence),
      buttons: buttons.map(plainLine),
    });
    const pressed = await answer;
    return typeof pressed === 'number' ? buttons[pressed] : undefined;
  };

  const chooseWhileFilling: Desk['chooseWhileFilling'] = async <Given extends Choice>(
    { title, placeholder }: { readonly title: string; readonly placeholder: string },
    fill: (add: (choices: readonly Given[]) => boolean) => Promise<void>,
  ) => {
    const all: Given[] = [];
    let isOpen = true;
    const { id, answer } = socket.ask({
      type: 'choose',
      title: plainLine(title),
      placeholder: plainLine(placeholder),
      choices: [],
      isFilling: true,
    });
    const add = (choices: readonly Given[]): boolean => {
      if (isOpen && choices.length > 0) {
        all.push(...choices);
        socket.send({ type: 'choices', id, choices: choices.map(plainChoice), isFilling: true });
      }
      return isOpen;
    };
    // After an error, the choices added so far are kept.
    const end = (): void => socket.send({ type: 'choices', id, choices: [], isFilling: false });
    fill(add).then(end, end);
    const chosen = await answer;
    isOpen = false;
    return typeof chosen === 'number' ? all[chosen] : undefined;
  };

  const choose: Desk['choose'] = async (choices, title) => {
    const { answer } = socket.ask({
      type: 'choose',
      title: plainLine(title),
      placeholder: '',
      choices: choices.map(plainChoice),
      isFilling: false,
    });
    const chosen = await answer;
    return typeof chosen === 'number' ? choices[chosen] : undefined;
  };

  const text: Desk['text'] = async ({ title, prompt, problemOf }) => {
    const { id, answer } = socket.ask(
      { type: 'text', title: plainLine(title), prompt: plainLine(prompt) },
      typed => socket.send({ type: 'problem', id, text: typed, problem: plainLine(problemOf(typed) ?? '') }),
    );
    const typed = await answer;
    // The browser's word for it is not enough.
    return typeof typed === 'string' && problemOf(typed) === undefined ? typed : undefined;
  };

  const progress: Desk['progress'] = async (options, work) => {
    const { title, isQuiet = false, canCancel = false } = options;
    const cancels = new Emitter<unknown>();
    const { id, answer } = socket.ask({ type: 'progress', title: plainLine(title), isQuiet, canCancel });
    let percent = 0;
    answer.then(
      pressed => (pressed === undefined ? undefined : cancels.fire(undefined)),
      () => undefined,
    );
    try {
      return await work({
        report: (increment, message = '') => {
          percent += increment;
          socket.send({ type: 'progressed', id, percent, message: plainLine(message) });
        },
        onDidCancel: cancels.event,
      });
    } finally {
      socket.end(id);
    }
  };

  const openText = async (name: string, content: string): Promise<void> => {
    socket.ask({ type: 'longText', title: plainLine(name), text: content });
    return Promise.resolve();
  };

  const copy = async (copied: string): Promise<void> => {
    await socket.ask({ type: 'copy', text: copied }).answer;
  };

  const open = async (address: Address, line?: number): Promise<void> => {
    const path = fileURLToPath(address);
    if (tools.editor !== undefined) {
      return tools.editor(path, line);
    }
    const { size } = statSync(path);
    if (size <= largestText) {
      await openText(
        line === undefined ? path : `${path}:${line}`,
        (await readRegular(path)).toString('utf8'),
      );
    }
    say(
      'information',
      size <= largestText
        ? translate('To open files in your editor, start this program with {0}.', '--editor')
        : translate(
            'Files over {0} are not shown here. To open {1} in your editor, start this program with {2}.',
            formatBytes(largestText),
            path,
            '--editor',
          ),
    ).then(undefined, () => undefined);
  };

  return {
    say,
    progress,
    choose,
    chooseWhileFilling,
    text,
    target: async ({ name, kinds = {} }) => {
      const forms = Object.entries(kinds).map(([label, [ending = '']]) => ({ label, ending }));
      const form = forms.length < 2 ? forms[0] : await choose(forms, translate('Export'));
      if (forms.length > 1 && form === undefined) {
        return undefined;
      }
      const shown = form === undefined ? name : `${name.replace(/\.\w+$/, '')}.${form.ending}`;
      const path = tools.downloads.pathFor(basename(shown));
      return {
        path,
        overwrite: false,
        saved: sentence => {
          const address = tools.downloads.offer(path, basename(shown));
          socket.send({ type: 'download', address, name: basename(shown) });
          say('information', sentence).then(undefined, () => undefined);
        },
      };
    },
    folder: async ({ title, label }) => {
      const typed = await text({
        title,
        prompt: translate('{0}: the path of a folder', label),
        problemOf: folderProblem,
      });
      return typed === undefined ? undefined : fullPath(typed);
    },
    fileIn: async ({ title, folder, kinds }) => {
      const endings = Object.values(kinds).flat();
      const names = (await readdir(folder)).filter(name => endings.some(end => name.endsWith(`.${end}`)));
      if (names.length === 0) {
        say('information', translate('{0} has no such files.', folder)).then(undefined, () => undefined);
        return undefined;
      }
      const chosen = await choose(
        names
          .toSorted()
          .reverse()
          .map(label => ({ label })),
        title,
      );
      return chosen && pathToFileURL(join(folder, chosen.label)).href;
    },
    show: async (transcript, { place, isBeside } = {}) =>
      go(pages.session(fileURLToPath(transcript), place), isBeside),
    showUsage: part => go(pages.usage(part)),
    showExample: () => go(pages.example),
    showAny: async () => {
      const typed = await text({
        title: translate('Open a Transcript'),
        prompt: translate('The path of a file on the machine of this program'),
        problemOf: fileProblem,
      });
      return typed === undefined ? undefined : go(pages.session(fullPath(typed)));
    },
    showDropped: async uri => {
      const path = pathOf(uri.trim());
      const problem = path === undefined ? translate('This is not a file.') : fileProblem(path);
      if (path === undefined || problem !== undefined) {
        throw new Error(problem);
      }
      return go(pages.session(path));
    },
    open,
    openSource: open,
    sourceLimit:
      tools.editor === undefined
        ? {
            bytes: largestText,
            reason: translate('Files over {0} are not shown here as text.', formatBytes(largestText)),
          }
        : undefined,
    openText,
    openSettings: async () => open(pathToFileURL(await tools.settingsFile()).href),
    reveal: tools.reveal,
    copy,
    copyLink: async (transcript, place) => {
      const path = pathOf(transcript);
      if (path !== undefined) {
        socket.send({ type: 'copyLink', address: pages.session(path, place) });
      }
      return Promise.resolve();
    },
    typeCommand: undefined,
    noteStep: () => Promise.resolve(),
  };
}

function plainChoice({ label, description, detail }: Choice): Choice {
  return {
    label: plainLine(label),
    ...(description === undefined ? {} : { description: plainLine(description) }),
    ...(detail === undefined ? {} : { detail: plainLine(detail) }),
  };
}

/** A path as people type it. */
function fullPath(typed: string): string {
  const path = typed.trim();
  return resolve(path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path);
}

function folderProblem(typed: string): string | undefined {
  return problemOf(typed, path =>
    statSync(path).isDirectory() ? undefined : translate('This is not a folder.'),
  );
}

function fileProblem(typed: string): string | undefined {
  return problemOf(typed, path =>
    statSync(realpathSync(path)).isFile() ? undefined : translate('This is not a file.'),
  );
}

function problemOf(typed: string, look: (path: string) => string | undefined): string | undefined {
  const path = fullPath(typed);
  if (typed.trim() === '' || !isAbsolute(path)) {
    return translate('Enter a path.');
  }
  try {
    return look(path);
  } catch (error) {
    return isMissingFile(error) ? translate('There is nothing at this path.') : describeAnyError(error);
  }
}
