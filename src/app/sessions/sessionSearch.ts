import { formatShare } from '../../core/base/format';
import { translate } from '../../core/base/translate';
import { listedCost } from '../../core/finder/sessionDescription';
import type { SessionFile } from '../../core/finder/sessionList';
import { describeAge } from '../../core/finder/sessionText';
import { costText } from '../../core/tokens/usageFigures';
import type { KnownSession } from './sessionReader';
import type { Desk } from '../desk';

export interface SearchTools {
  readonly desk: Pick<Desk, 'chooseWhileFilling'>;
  readonly known: (file: SessionFile) => KnownSession;
  /** True if the facts about a file are up to date. */
  readonly isDescribed: (file: SessionFile) => boolean;
  /** For people, and clean; empty if unknown. */
  readonly projectOf: (file: SessionFile) => string;
  /** Resolves when more facts about some of the files are known, or when there will be no more. */
  readonly moreRead: () => Promise<unknown>;
}

interface SessionChoice {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly file: SessionFile;
}

/** Lets the user choose a session by its title, newest first. Titles are added while the list is open. */
export async function searchSessions(
  title: string,
  files: readonly SessionFile[],
  tools: SearchTools,
): Promise<SessionFile | undefined> {
  const words = {
    title,
    placeholder: translate('Title, agent, project or branch'),
  };
  const chosen = await tools.desk.chooseWhileFilling<SessionChoice>(words, async add => {
    for (let waiting = files; waiting.length > 0;) {
      const described = waiting.filter(tools.isDescribed);
      const choices = described.flatMap(file => choiceOf(file, tools));
      if (!add(choices)) {
        return;
      }
      const done = new Set(described);
      waiting = waiting.filter(file => !done.has(file));
      if (waiting.length > 0) {
        await tools.moreRead();
      }
    }
  });
  return chosen?.file;
}

function choiceOf(file: SessionFile, { known, projectOf }: SearchTools): readonly SessionChoice[] {
  const { description, usage } = known(file);
  if (description === undefined || description.isForeign === true) {
    return [];
  }
  const { title, agent, branch = '', facts } = description;
  const isFilled = (part: string): boolean => part !== '';
  const figures = [
    describeAge(Date.now(), description.lastUsed),
    facts,
    usage?.fill === undefined ? '' : formatShare(usage.fill),
    costText(listedCost(usage)),
  ];
  return [
    {
      label: title,
      description: [agent, projectOf(file), branch].filter(isFilled).join(' · '),
      detail: figures.filter(isFilled).join(' · '),
      file,
    },
  ];
}
