import * as v from 'valibot';
import { defined } from '../base/defined';
import { type Described, texts } from '../base/schema';
import { madeIdOf, sessionIdOf } from '../finder/sessionId';
import { probeBranch, probeSession } from '../finder/sessionProbe';
import type { SessionFile } from '../finder/sessionList';
import { oneLine } from '../finder/sessionText';
import { isCutLabel, labelOfText } from '../content/blockLabels';
import type { TextVisitor } from '../content/transcriptBuilder';
import type { Transcript } from '../model/transcript';
import { findingLabel } from '../sensitivity/finding';
import type { Gate } from '../sensitivity/gate';
import { lastName, parentFolder } from '../finder/pathPattern';

/** How often a rule of the scanner found something: see SensitivityFinding. */
export const ruleCount = v.strictObject({ rule: v.string(), label: findingLabel, count: v.number() });
export type RuleCount = Described<typeof ruleCount>;

/** What the index says of a file. All texts have passed the gate, and an empty one is not known. */
export const indexedSession = v.strictObject({
  ...texts('id', 'agent', 'project', 'branch', 'title'),
  /** The id of the session that started this one as its subagent. */
  parent: v.string(),
  /** The model of each number in the table of requests. */
  models: v.array(v.string()),
  /** What was found in its texts; absent where it was read for its usage alone. */
  findings: v.exactOptional(v.array(ruleCount)),
});
export type IndexedSession = Described<typeof indexedSession>;

/** How many prompts are kept at most: the title is one of the first. */
const mostPrompts = 20;

/** The whole texts of prompts whose labels were cut: in the part of it, a credential cannot be recognised. */
export class CutPrompts {
  private readonly texts = new Map<string, string>();

  readonly visit: TextVisitor = ({ kind, label, content }) => {
    if (kind === 'prompt' && this.texts.size < mostPrompts && isCutLabel(label) && !this.texts.has(label)) {
      this.texts.set(label, content);
    }
  };

  /** The text of which a label is the beginning; the label itself where it is whole. */
  of(label: string | undefined): string | undefined {
    return this.texts.get(label ?? '') ?? label;
  }
}

/**
 * @param title the whole text of it, which may be long
 * @param head the first bytes of the file, as text
 * @param models the models of the requests
 * @param findings what was found in its texts; undefined where they were not read
 */
export async function describeIndexed(
  file: SessionFile,
  {
    agent,
    title,
    sessionId,
    workingDirectory,
  }: Pick<Transcript, 'agent' | 'sessionId' | 'workingDirectory'> & { readonly title: string | undefined },
  head: string,
  models: readonly string[],
  findings: readonly RuleCount[] | undefined,
  gate: Gate,
): Promise<IndexedSession> {
  const probe = probeSession(head);
  const shown = async (text = ''): Promise<string> => oneLine(await gate.text(text));
  const folder = file.workingDirectory ?? workingDirectory ?? probe.workingDirectory ?? file.projectFolder;
  const id = madeIdOf(lastName(file.path)) ?? sessionId ?? sessionIdOf(file.path);
  return {
    id: await gate.text(id),
    agent: await shown(agent.name),
    project: await gate.text(folder ?? ''),
    branch: await shown(probeBranch(head)),
    title: oneLine(labelOfText(await gate.text(title ?? ''))),
    parent: await gate.text(parentOf(file.path, probe.parent, sessionId ?? probe.sessionId)),
    models: await Promise.all(models.map(shown)),
    ...defined({ findings }),
  };
}

/** Folders of subagents: below one that is named after the session (Claude Code), or above it (Qwen Code, Gemini CLI). */
const subagentFolders = [
  /(?:^|[\\/])(?<session>[^\\/]+)[\\/]subagents(?:[\\/]workflows[\\/][^\\/]+)?$/,
  /[\\/](?:subagents|chats)[\\/](?<session>[^\\/]+)$/,
];

/**
 * The id of the session that started the one in a file. Before 2.1 Claude Code kept subagents beside the session, whose id
 * they hold.
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
