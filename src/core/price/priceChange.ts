import type { ModelRow } from '../model/modelRow';
import { openaiPrior } from '../tokens/tokenizerPrior';
import {
  type CarriedText,
  carriedText,
  type PricedAgent,
  type PromptFileKind,
  promptFileOf,
  skillRootText,
  withImports,
} from './promptFiles';
import { serverChange, type ServerTexts } from './serverTexts';

/** The files of a repository at one time: their texts by path from the root. */
export type RepositoryFiles = ReadonlyMap<string, string>;

/** The requests of an agent in a project. */
export interface WeeklyUse {
  readonly agent: PricedAgent;
  readonly model: string;
  readonly requests: number;
  /** The mean price of an input token in US dollars; undefined if it is not known. */
  readonly tokenPrice: number | undefined;
  /** True if no sessions of the project were found. */
  readonly isAssumed: boolean;
}

/** The part of a prompt that the provider still has in its cache when a session starts with the change. */
export const keptPrefixes = ['everything', 'toolsAndSystem', 'tools', 'nothing'] as const;
export type KeptPrefix = (typeof keptPrefixes)[number];

/** The price of a changed file for an agent. Tokens are per request, and negative if the change saves them. */
export interface FilePrice {
  readonly path: string;
  readonly kind: PromptFileKind;
  readonly tokens: number;
  /** True if a part cannot be told from the file. */
  readonly isPartly: boolean;
  /** True if the tools of a server are those that a session recorded. */
  readonly isRecorded: boolean;
  readonly kept: KeptPrefix;
}

export interface AgentPrice extends WeeklyUse {
  readonly files: readonly FilePrice[];
  /** Tokens that each request has more. */
  readonly tokens: number;
  /**
   * `exact`: counted with the tokenizer of the model, in a form that was compared with requests of the agent. Otherwise
   * estimated, with this relative error. What cannot be told of a file (`isPartly`) is not in `tokens`.
   */
  readonly quality: 'exact' | 'estimated';
  readonly error: number;
  readonly tokensPerWeek: number;
  /** US dollars at list prices; null if no price is known. */
  readonly moneyPerWeek: number | null;
  /** False if the frozen prefix stays as it is. */
  readonly breaksPrefix: boolean;
  readonly kept: KeptPrefix;
}

export interface PriceReport {
  /** The commit, and the other side: a commit, or null for the files in the folder. */
  readonly base: string;
  readonly head: string | null;
  /** Changed files that agents read, also those that add nothing. */
  readonly changed: readonly string[];
  readonly agents: readonly AgentPrice[];
}

const asOneText = (carried: readonly CarriedText[]): string => carried.map(({ text }) => text).join('');

/**
 * The price of the difference between two states of a repository.
 * @param root the folder of the repository, as agents name it
 * @param count the tokens of a text in the encoding of a model
 */
export async function priceChange(
  before: RepositoryFiles,
  after: RepositoryFiles,
  {
    root,
    uses,
    servers = new Map(),
    rowOf,
  }: {
    readonly root: string;
    readonly uses: readonly WeeklyUse[];
    /** The servers that sessions of Claude Code recorded. */
    readonly servers?: ServerTexts;
    readonly rowOf: (model: string) => ModelRow | undefined;
  },
  count: (text: string) => Promise<number>,
): Promise<Pick<PriceReport, 'changed' | 'agents'>> {
  const imported = new Set<string>();
  const carriedBy = (agent: PricedAgent, files: RepositoryFiles, path: string): readonly CarriedText[] => {
    const file = promptFileOf(path);
    const text = files.get(path);
    // opencode reads CLAUDE.md where there is no AGENTS.md.
    const isStandIn = agent === 'opencode' && path === 'CLAUDE.md' && !files.has('AGENTS.md');
    if (file === undefined || text === undefined || (!file.agents.includes(agent) && !isStandIn)) {
      return [];
    }
    if (agent !== 'Claude Code' || file.kind !== 'memory' || file.isOnDemand === true) {
      return [carriedText(agent, file, path, text, root)];
    }
    return withImports(path, text, other => files.get(other)).map(each => {
      if (each.path !== path) {
        imported.add(each.path);
      }
      return carriedText(agent, file, each.path, each.text, root);
    });
  };
  const paths = [...new Set([...before.keys(), ...after.keys()])]
    .filter(path => promptFileOf(path) !== undefined)
    .sort();
  const listsSkills = (agent: PricedAgent, files: RepositoryFiles): boolean =>
    paths.some(
      path => promptFileOf(path)?.kind === 'skill' && asOneText(carriedBy(agent, files, path)) !== '',
    );
  const agents: AgentPrice[] = [];
  for (const use of uses) {
    const prior = rowOf(use.model)?.tokenizerPrior;
    const files: FilePrice[] = [];
    const rootTokens = await count(skillRootText(use.agent, root));
    // Counted with the first changed skill.
    let once = rootTokens * (Number(listsSkills(use.agent, after)) - Number(listsSkills(use.agent, before)));
    for (const path of paths) {
      const [old = [], now = []] = [before, after].map(files => carriedBy(use.agent, files, path));
      const kind = promptFileOf(path)?.kind ?? 'memory';
      const change =
        kind === 'server' && old.length + now.length > 0
          ? serverChange(before.get(path), after.get(path), servers)
          : {
              before: asOneText(old),
              after: asOneText(now),
              isPartly: [...old, ...now].some(each => each.isPartly),
            };
      const { before: first, after: second } = change;
      const isPartly = change.isPartly && before.get(path) !== after.get(path);
      if (first !== second || isPartly) {
        const own = (await count(second)) - (await count(first));
        const counted = kind === 'skill' ? own + once : own;
        once = kind === 'skill' ? 0 : once;
        files.push({
          path,
          kind,
          tokens: Math.round(counted * (prior?.scale ?? 1)),
          isPartly,
          isRecorded: kind === 'server' && first !== second,
          kept: keptBy(use.agent, kind),
        });
      }
    }
    const tokens = files.reduce((sum, file) => sum + file.tokens, 0);
    const kept = files.reduce<KeptPrefix>(
      (least, file) => (keptPrefixes.indexOf(file.kept) > keptPrefixes.indexOf(least) ? file.kept : least),
      'everything',
    );
    // The form in which agents send tools was not compared with their requests.
    const isExact = prior === openaiPrior && files.every(({ kind }) => kind !== 'tools' && kind !== 'server');
    agents.push({
      ...use,
      files,
      tokens,
      quality: isExact ? 'exact' : 'estimated',
      error: isExact ? 0 : (prior?.error ?? 1),
      tokensPerWeek: Math.round(tokens * use.requests),
      moneyPerWeek: use.tokenPrice === undefined ? null : tokens * use.requests * use.tokenPrice,
      breaksPrefix: kept !== 'everything',
      kept,
    });
  }
  return {
    changed: [...new Set([...paths, ...imported])]
      .filter(path => before.get(path) !== after.get(path))
      .sort(),
    agents,
  };
}

/** Requests begin with the tools, then the system text, then messages. */
function keptBy(agent: PricedAgent, kind: PromptFileKind): KeptPrefix {
  switch (kind) {
    case 'server':
    case 'settings':
    case 'tools':
      return 'nothing';
    case 'memory':
    case 'rule':
    case 'skill':
    case 'agent':
    case 'command':
      return agent === 'opencode' ? 'tools' : 'toolsAndSystem';
  }
}
