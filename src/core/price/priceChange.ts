import type { ModelRow } from '../model/modelRow';
import { openaiPrior } from '../tokens/tokenizerPrior';
import {
  carriedBy,
  comparedVersions,
  type PricedAgent,
  type PromptFileKind,
  promptFileOf,
} from './promptFiles';
import { serverChange, type ServerTexts } from './serverTexts';

/** The files of a repository at one time: their texts by path from the root. */
export type RepositoryFiles = ReadonlyMap<string, string>;

/** The requests of an agent in a project. */
export interface WeeklyUse {
  readonly agent: PricedAgent;
  readonly model: string;
  readonly requests: number;
  /** The version of the agent; undefined if no session recorded it. */
  readonly version?: string;
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
  readonly quality: PriceQuality;
}

/**
 * `exact`: counted with the tokenizer of the model, in a form that was compared with requests of this version of the agent.
 * `estimated`: in such a form, for a model whose tokenizer is not published. `about`: in another form.
 */
export const priceQualities = ['exact', 'estimated', 'about'] as const;
export type PriceQuality = (typeof priceQualities)[number];

export interface AgentPrice extends WeeklyUse {
  readonly files: readonly FilePrice[];
  /** Tokens that each request has more. */
  readonly tokens: number;
  /** The least of its files. What cannot be told of a file (`isPartly`) is not in `tokens`. */
  readonly quality: PriceQuality;
  /** The relative error of the count; 0 if the quality is `exact`. */
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
  const paths = [...new Set([...before.keys(), ...after.keys()])]
    .filter(path => promptFileOf(path) !== undefined)
    .sort();
  const others = new Set<string>();
  const agents: AgentPrice[] = [];
  for (const use of uses) {
    const { agent } = use;
    const prior = rowOf(use.model)?.tokenizerPrior;
    const files: FilePrice[] = [];
    const [old, now] = [carriedBy(agent, before, root), carriedBy(agent, after, root)];
    [...old.others, ...now.others].forEach(path => others.add(path));
    // Counted with the first changed file of the kind.
    const frames = new Map<PromptFileKind, number>();
    for (const kind of ['memory', 'skill'] as const) {
      frames.set(kind, (await count(now.frames[kind])) - (await count(old.frames[kind])));
    }
    const isKnownVersion = use.version === undefined || use.version === comparedVersions[agent];
    for (const path of paths) {
      const carried = [old.texts.get(path), now.texts.get(path)].filter(each => each !== undefined);
      const kind = promptFileOf(path)?.kind ?? 'memory';
      const change =
        kind === 'server' && carried.length > 0
          ? serverChange(before.get(path), after.get(path), servers)
          : {
              before: old.texts.get(path)?.text ?? '',
              after: now.texts.get(path)?.text ?? '',
              isPartly: carried.some(each => each.isPartly),
            };
      const { before: first, after: second } = change;
      const isPartly = change.isPartly && before.get(path) !== after.get(path);
      if (first !== second || isPartly) {
        const group = kind === 'rule' ? 'memory' : kind;
        const counted = (await count(second)) - (await count(first)) + (frames.get(group) ?? 0);
        frames.delete(group);
        const isCompared =
          isKnownVersion &&
          carried.every(each => each.isCompared) &&
          // Instructions of the user have the same words around them, once.
          (group !== 'memory' || agent === 'opencode' || old.hasMemory === now.hasMemory);
        files.push({
          path,
          kind,
          tokens: Math.round(counted * (prior?.scale ?? 1)),
          isPartly,
          isRecorded: kind === 'server' && first !== second,
          kept: keptBy(agent, kind),
          quality: isCompared ? (prior === openaiPrior ? 'exact' : 'estimated') : 'about',
        });
      }
    }
    const tokens = files.reduce((sum, file) => sum + file.tokens, 0);
    const kept = files.reduce<KeptPrefix>(
      (least, file) => (keptPrefixes.indexOf(file.kept) > keptPrefixes.indexOf(least) ? file.kept : least),
      'everything',
    );
    const quality = files
      .map(file => file.quality)
      .reduce<PriceQuality>(
        (least, each) => (priceQualities.indexOf(each) > priceQualities.indexOf(least) ? each : least),
        'exact',
      );
    agents.push({
      ...use,
      files,
      tokens,
      quality,
      error: quality === 'exact' ? 0 : (prior?.error ?? 1),
      tokensPerWeek: Math.round(tokens * use.requests),
      moneyPerWeek: use.tokenPrice === undefined ? null : tokens * use.requests * use.tokenPrice,
      breaksPrefix: kept !== 'everything',
      kept,
    });
  }
  return {
    changed: [...new Set([...paths, ...others])].filter(path => before.get(path) !== after.get(path)).sort(),
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
