import { translate } from '../core/base/translate';
import { lastName } from '../core/finder/pathPattern';
import type { SessionFile } from '../core/finder/sessionList';
import type { OutlineResult } from '../core/finder/sessionOutline';
import { describeSession, oneLine } from '../core/finder/sessionText';
import { pickWhileFilling } from './userMessages';

/** How many sessions are read between two updates of the list. */
const batchLength = 100;

export interface SearchTools {
  readonly outline: (file: SessionFile) => Promise<OutlineResult>;
  readonly isShown: (file: SessionFile, outline: OutlineResult) => boolean;
  /** The working directory; empty if unknown. */
  readonly projectOf: (file: SessionFile) => string;
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
  { outline, isShown, projectOf }: SearchTools,
): Promise<SessionFile | undefined> {
  const sorted = [...files].sort((first, second) => second.modified - first.modified);
  const words = { title: translate('Search Sessions'), placeholder: translate('Title, agent or project') };
  const chosen = await pickWhileFilling<SessionChoice>(words, async add => {
    for (let start = 0; start < sorted.length; start += batchLength) {
      const batch = sorted.slice(start, start + batchLength);
      const outlines = await Promise.all(batch.map(outline));
      const choices = batch.flatMap((file, index) => {
        const found = outlines[index];
        return found !== undefined && isShown(file, found) ? [choiceOf(file, found, projectOf(file))] : [];
      });
      if (!add(choices)) {
        return;
      }
    }
  });
  return chosen?.file;
}

function choiceOf(file: SessionFile, outline: OutlineResult, project: string): SessionChoice {
  const { title, description } = describeSession(file, outline, Date.now());
  const place = [file.agent, oneLine(project === '' ? '' : lastName(project))].filter(part => part !== '');
  return { label: title, description: place.join(' · '), detail: description, file };
}
