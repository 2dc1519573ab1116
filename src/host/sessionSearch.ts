import * as vscode from 'vscode';
import { translate } from '../core/base/translate';
import { lastName } from '../core/finder/pathPattern';
import type { SessionFile } from '../core/finder/sessionList';
import type { OutlineResult } from '../core/finder/sessionOutline';
import { describeSession, oneLine } from '../core/finder/sessionText';
import type { Gate } from '../core/sensitivity/gate';

/** How many sessions are read between two updates of the list. */
const batchLength = 100;

export interface SearchTools {
  readonly outline: (file: SessionFile) => Promise<OutlineResult>;
  readonly isShown: (file: SessionFile, outline: OutlineResult) => boolean;
  /** The working directory; empty if unknown. */
  readonly projectOf: (file: SessionFile) => string;
  /** What titles and names pass before they are shown. */
  readonly gate: Gate;
}

interface SessionPick extends vscode.QuickPickItem {
  readonly file: SessionFile;
}

/** Lets the user choose a session by its title, newest first. Titles are added while the list is open. */
export function searchSessions(
  files: readonly SessionFile[],
  tools: SearchTools,
): Promise<SessionFile | undefined> {
  const sorted = [...files].sort((first, second) => second.modified - first.modified);
  const picker = vscode.window.createQuickPick<SessionPick>();
  picker.title = translate('Search Sessions');
  picker.placeholder = translate('Title, agent or project');
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  return new Promise(resolve => {
    const state = { isOpen: true };
    picker.onDidAccept(() => {
      resolve(picker.selectedItems[0]?.file);
      picker.hide();
    });
    picker.onDidHide(() => {
      state.isOpen = false;
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
    fill(picker, sorted, tools, state).catch(() => {
      // Keep the titles read so far.
      if (state.isOpen) {
        picker.busy = false;
      }
    });
  });
}

async function fill(
  picker: vscode.QuickPick<SessionPick>,
  files: readonly SessionFile[],
  tools: SearchTools,
  state: { readonly isOpen: boolean },
): Promise<void> {
  picker.busy = true;
  const picks: SessionPick[] = [];
  for (let start = 0; start < files.length; start += batchLength) {
    const batch = files.slice(start, start + batchLength);
    const outlines = await Promise.all(batch.map(tools.outline));
    for (const [index, file] of batch.entries()) {
      const outline = outlines[index];
      if (outline !== undefined && tools.isShown(file, outline)) {
        picks.push(await pickOf(file, outline, tools));
      }
    }
    if (!state.isOpen) {
      return;
    }
    const [active] = picker.activeItems;
    picker.items = [...picks];
    if (active !== undefined) {
      picker.activeItems = [active];
    }
  }
  picker.busy = false;
}

async function pickOf(
  file: SessionFile,
  outline: OutlineResult,
  { projectOf, gate }: SearchTools,
): Promise<SessionPick> {
  const { title, description } = await describeSession(file, outline, Date.now(), gate);
  const project = await gate.text(projectOf(file));
  const place = [file.agent, oneLine(project === '' ? '' : lastName(project))].filter(part => part !== '');
  return { label: plain(title), description: plain(place.join(' · ')), detail: plain(description), file };
}

/** Quick picks show an icon for `$(name)`. */
function plain(text: string): string {
  return text.replaceAll('$(', '\\$(');
}
