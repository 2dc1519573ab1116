import { defined } from '../base/defined';
import { madeIdOf, sessionIdOf } from '../finder/sessionId';
import { probeBranch, probeSession } from '../finder/sessionProbe';
import type { SessionFile } from '../finder/sessionList';
import { oneLine } from '../finder/sessionText';
import { isCutLabel, labelOfText } from '../content/blockLabels';
import type { TextVisitor } from '../content/transcriptBuilder';
import type { Transcript } from '../model/transcript';
import { sessionTimes } from '../model/sessionTimes';
import type { Gate } from '../sensitivity/gate';
import { maskLabelAlone } from '../sensitivity/maskLabel';
import { lastName, parentFolder } from '../base/pathPattern';
import { ContextWindows, type WindowFacts } from '../tokens/contextWindow';
import { inputOf } from '../tokens/prices';
import type { Billing } from '../model/billing';
import { recordedRequests } from './requestTable';
import type { RuleCount } from './ruleCount';
import type { IndexedSession, SessionPart } from './indexedSession';

/** Maximum number of stored prompts. The title is one of the first. */
const mostPrompts = 20;

/** The full texts of prompts whose labels were truncated, because a credential may be unrecognisable in a label. */
export class CutPrompts {
  private readonly texts = new Map<string, string>();

  readonly visit: TextVisitor = ({ kind, label, content }) => {
    if (kind === 'prompt' && this.texts.size < mostPrompts && isCutLabel(label) && !this.texts.has(label)) {
      this.texts.set(label, content);
    }
  };

  /** The text whose beginning is the label. If the label is complete, the label itself, masked as in a list. */
  of(label: string | undefined): string | undefined {
    return this.texts.get(label ?? '') ?? (label && maskLabelAlone(label));
  }
}

/**
 * @param title the full text of the title, which may be long
 * @param head the first bytes of the file, as text
 * @param models the models of the requests
 * @param billings the billings of the requests
 * @param doubted the requests whose recorded input is doubted
 * @param findings the findings in the texts; undefined if the texts were not read
 */
export async function describeIndexed(
  file: SessionFile,
  {
    agent,
    title,
    sessionId,
    workingDirectory,
    conversations,
    requests,
    compactions,
    quotaWindows,
  }: Pick<
    Transcript,
    'agent' | 'sessionId' | 'workingDirectory' | 'conversations' | 'requests' | 'compactions' | 'quotaWindows'
  > & {
    readonly title: string | undefined;
  },
  head: string,
  models: readonly string[],
  billings: readonly Billing[],
  doubted: ReadonlySet<number>,
  findings: readonly RuleCount[] | undefined,
  gate: Gate,
  repositoryOf: (folder: string) => Promise<string | undefined>,
): Promise<IndexedSession> {
  const probe = probeSession(head);
  const shown = async (text = ''): Promise<string> => oneLine(await gate.text(text));
  const folder = file.workingDirectory ?? workingDirectory ?? probe.workingDirectory ?? file.projectFolder;
  const id = madeIdOf(lastName(file.path)) ?? sessionId ?? sessionIdOf(file.path);
  const repositoryIn = async (path: string | undefined): Promise<string | undefined> => {
    const repository = path === undefined ? undefined : await repositoryOf(path);
    return repository === undefined ? undefined : gate.text(repository);
  };
  const titleOf = async (text = ''): Promise<string> => oneLine(labelOfText(await gate.text(text)));
  const stored = conversations.flatMap(({ thread, title: own, session }) =>
    session === undefined ? [] : { thread, title: own, ...session },
  );
  const sessions = await Promise.all(
    stored.map(async each => ({
      id: await gate.text(each.id),
      project: await gate.text(each.workingDirectory ?? ''),
      ...defined({ repository: await repositoryIn(each.workingDirectory) }),
      title: await titleOf(each.title),
      threads: [each.thread, ...each.subagents],
    })),
  );
  const main = await mainOf({ requests, compactions }, doubted, shown);
  return {
    id: await gate.text(id),
    agent: await shown(agent.name),
    project: await gate.text(folder ?? ''),
    ...defined({ repository: await repositoryIn(folder) }),
    branch: await shown(probeBranch(head)),
    title: await titleOf(title),
    parent: await gate.text(parentOf(file.path, probe.parent, sessionId ?? probe.sessionId)),
    versions: await Promise.all(agent.versions.map(shown)),
    models: await Promise.all(models.map(shown)),
    ...(billings.length === 0
      ? {}
      : { billings: await Promise.all(billings.map(each => shownBilling(each, shown))) }),
    ...(quotaWindows.length === 0 ? {} : { quotaWindows: [...quotaWindows] }),
    ...defined({ findings, main, ...sessionTimes(requests) }),
    ...(sessions.length === 0 ? {} : { several: { sessions, runs: sessionRuns(sessions, requests) } }),
  };
}

/** Terms and tools are plain words already. */
async function shownBilling(
  { passes, ...facts }: Billing,
  shown: (text: string) => Promise<string>,
): Promise<Billing> {
  const shownPasses = await Promise.all(
    passes.map(async pass => ({ ...pass, model: await shown(pass.model) })),
  );
  return { ...facts, passes: shownPasses };
}

async function mainOf(
  transcript: Pick<Transcript, 'requests' | 'compactions'>,
  doubted: ReadonlySet<number>,
  shown: (text: string) => Promise<string>,
): Promise<IndexedSession['main']> {
  const requests = transcript.requests.filter(({ thread }) => thread === 0);
  if (requests.length === 0) {
    return undefined;
  }
  const last = transcript.requests.findLastIndex(
    ({ thread, usage }) => thread === 0 && usage !== undefined && inputOf(usage) > 0,
  );
  const newest = doubted.has(last) ? undefined : transcript.requests[last];
  return {
    requests: requests.length,
    model: await shown(requests.findLast(({ model }) => model !== undefined)?.model ?? ''),
    ...(newest?.usage === undefined
      ? {}
      : {
          newest: {
            model: await shown(newest.model ?? ''),
            tokens: inputOf(newest.usage),
            ...recordedFacts(new ContextWindows(transcript).factsFor(newest)),
          },
        }),
  };
}

function recordedFacts({ recorded, largest, compacted }: WindowFacts) {
  return { largest, compacted: [...compacted], ...defined({ recorded }) };
}

/** Assigns the requests with recorded usage to sessions, in the order of the request table. */
function sessionRuns(
  sessions: readonly SessionPart[],
  requests: Transcript['requests'],
): NonNullable<IndexedSession['several']>['runs'] {
  const byThread = new Map(sessions.flatMap(({ threads }, place) => threads.map(thread => [thread, place])));
  const runs: { session: number; end: number }[] = [];
  recordedRequests(requests)
    .map(number => requests[number]?.thread ?? 0)
    .forEach((thread, row) => {
      const session = byThread.get(thread) ?? sessions.length;
      const last = runs.at(-1);
      if (last?.session === session) {
        last.end = row + 1;
      } else {
        runs.push({ session, end: row + 1 });
      }
    });
  return runs;
}

/** Folders of subagents: below a folder named after the session (Claude Code), or above it (Qwen Code, Gemini CLI). */
const subagentFolders = [
  /(?:^|[\\/])(?<session>[^\\/]+)[\\/]subagents(?:[\\/]workflows[\\/][^\\/]+)?$/,
  /[\\/](?:subagents|chats)[\\/](?<session>[^\\/]+)$/,
];

/**
 * The id of the session that started the one in a file. Before 2.1, Claude Code stored subagents next to the session,
 * with its id in them.
 */
function parentOf(path: string, spawnedBy: string | undefined, sessionId: string | undefined): string {
  const folder = parentFolder(path);
  for (const form of subagentFolders) {
    const session = form.exec(folder)?.groups?.['session'];
    if (session !== undefined) {
      return session;
    }
  }
  return lastName(path).startsWith('agent-') ? (sessionId ?? '') : (spawnedBy ?? '');
}
