import { translate } from '../core/base/translate';
import { lastName } from '../core/finder/pathPattern';
import type { SessionFile } from '../core/finder/sessionList';
import type { OutlineResult } from '../core/finder/sessionOutline';
import { describeSession, oneLine } from '../core/finder/sessionText';
import type { Gate } from '../core/sensitivity/gate';
import { pickWhileFilling } from './userMessages';

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

interface SessionChoice {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly file: SessionFile;
}

/** Lets the user choose a session by its title, newest first. Titles are added while the list is open. */
export async function searchSessions(
  files: readonly SessionFile[],
  tools: SearchTools,
): Promise<SessionFile | undefined> {
  const sorted = [...files].sort((first, second) => second.modified - first.modified);
  const words = { title: translate('Search Sessions'), placeholder: translate('Title, agent or project') };
  const chosen = await pickWhileFilling<SessionChoice>(words, async add => {
    for (let start = 0; start < sorted.length; start += batchLength) {
      const batch = sorted.slice(start, start + batchLength);
      const outlines = await Promise.all(batch.map(tools.outline));
      const choices: SessionChoice[] = [];
      for (const [index, file] of batch.entries()) {
        const found = outlines[index];
        if (found !== undefined && tools.isShown(file, found)) {
          choices.push(await choiceOf(file, found, tools));
        }
      }
      if (!add(choices)) {
        return;
      }
    }
  });
  return chosen?.file;
}

async function choiceOf(
  file: SessionFile,
  outline: OutlineResult,
  { projectOf, gate }: SearchTools,
): Promise<SessionChoice> {
  const { title, description } = await describeSession(file, outline, Date.now(), gate);
  const project = await gate.text(projectOf(file));
  const place = [file.agent, oneLine(project === '' ? '' : lastName(project))].filter(part => part !== '');
  return { label: title, description: place.join(' · '), detail: description, file };
}
