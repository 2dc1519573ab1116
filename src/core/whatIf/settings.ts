import { translate } from '../base/translate';
import { defaultPruneOptions, pruneRuleSets } from '../model/pruneConfig';
import type { SessionSummary } from '../model/columns';
import type { ModelLookUp } from '../tokens/modelTable';
import {
  recordsTools,
  withClearedRestored,
  withDeferredTools,
  withoutMemory,
  withoutServer,
  withoutThinking,
} from './blockChanges';
import { withCompactions } from './compactionChange';
import type { Course } from './course';
import { withPruning } from './pruneChange';

/** Facts about the session that settings need. */
export interface SettingContext {
  readonly parts: SessionSummary['parts'];
  /** The name of the agent, if it is known. */
  readonly agent?: string;
  readonly lookUp: ModelLookUp;
}

/** The course under a setting, or the reason why the record cannot tell. */
export type Applied =
  | { readonly kind: 'applied'; readonly course: Course }
  | { readonly kind: 'untold'; readonly reason: string };

/** Applies a setting to a course. */
export type Change = (course: Course, context: SettingContext) => Applied;

/** A setting that can be another one than recorded. Command line, page and tests use this table. */
export interface SettingKind {
  readonly name: SettingName;
  /** The placeholder for the value in the help. */
  readonly value: string;
  /** Values that a shell completes; a setting without them takes any text of its kind. */
  readonly choices?: readonly string[];
  readonly help: () => string;
  /** Its name in the page. */
  readonly label: () => string;
  /** The value in a sentence: `with a cache lifetime of 1 hour`. */
  readonly told: (text: string) => string;
  /** The assumption of every answer with this setting, as a sentence. */
  readonly assumed: () => string;
  /** Undefined if the text is not a value of the setting. */
  readonly read: (text: string) => Change | undefined;
}

/** In the order in which they are applied. */
export const settingNames = [
  'without-memory',
  'without-server',
  'tools',
  'thinking',
  'start',
  'compaction',
  'prune',
  'breakpoints',
  'lifetime',
  'model',
] as const;
export type SettingName = (typeof settingNames)[number];

/** A chosen setting. `text` is its value as it was given. */
export interface Setting {
  readonly name: SettingName;
  readonly text: string;
  readonly change: Change;
}

const applied = (course: Course): Applied => ({ kind: 'applied', course });
const untold = (reason: string): Applied => ({ kind: 'untold', reason });
const orUntold = (course: Course | undefined, reason: () => string): Applied =>
  course === undefined ? untold(reason()) : applied(course);

/** `20000`, `20k`, `1m`; undefined for anything else. */
function readTokens(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?)([km]?)$/i.exec(text) ?? [];
  const factor = { '': 1, k: 1000, m: 1_000_000 }[unit.toLowerCase()];
  return digits === '' || factor === undefined ? undefined : Math.round(Number(digits) * factor);
}

/** `NAME=VALUE` after the first word of a value; undefined if one is not of the given names. */
function readMembers(
  words: readonly string[],
  names: readonly string[],
): ReadonlyMap<string, number> | undefined {
  const members = new Map<string, number>();
  for (const word of words) {
    const [name = '', text = ''] = word.split('=', 2);
    const value = readTokens(text);
    if (!names.includes(name) || value === undefined) {
      return undefined;
    }
    members.set(name, value);
  }
  return members;
}

/** The first word of a value, and the options after it in parentheses. */
function withOptions(text: string, tell: (first: string) => string): string {
  const [first = '', ...options] = text.split(',');
  return options.length === 0 ? tell(first) : `${tell(first)} (${options.join(', ')})`;
}

/** In seconds. */
const lifetimes: ReadonlyMap<string, number> = new Map([
  ['5m', 300],
  ['1h', 3600],
]);

const kinds: Readonly<Record<SettingName, Omit<SettingKind, 'name'>>> = {
  'without-memory': {
    value: 'FILE',
    help: () => translate('without this memory file, such as CLAUDE.md'),
    label: () => translate('Without memory file'),
    told: text => translate('without the memory file {0}', text),
    assumed: () => translate('The file’s tokens are its share of the characters of the block that holds it.'),
    read: text =>
      text === ''
        ? undefined
        : (course, { parts }) =>
            orUntold(withoutMemory(course, text, parts), () =>
              translate('{0} is not in the recorded prompts.', text),
            ),
  },
  'without-server': {
    value: 'NAME',
    help: () => translate('without the tools of this MCP server'),
    label: () => translate('Without MCP server'),
    told: text => translate('without the MCP server {0}', text),
    assumed: () => translate('Calls of the server’s tools, with their results, stay.'),
    read: text =>
      text === ''
        ? undefined
        : course => {
            const changed = withoutServer(course, text);
            return changed !== undefined || recordsTools(course)
              ? applied(changed ?? course)
              : untold(translate('The offered tools are not recorded.'));
          },
  },
  tools: {
    value: 'deferred',
    choices: ['deferred'],
    help: () => translate('tools of MCP servers are loaded when they are first called'),
    label: () => translate('MCP tools'),
    told: () => translate('with MCP tools loaded when they are first called'),
    assumed: () =>
      translate(
        'Each tool takes 12 tokens in the list of names. Requests that search for tools are not counted.',
      ),
    read: text =>
      text === 'deferred'
        ? course => {
            const changed = withDeferredTools(course);
            return changed !== undefined || recordsTools(course)
              ? applied(changed ?? course)
              : untold(translate('The offered tools are not recorded.'));
          }
        : undefined,
  },
  thinking: {
    value: 'none',
    choices: ['none'],
    help: () => translate('thinking is not sent again'),
    label: () => translate('Thinking'),
    told: () => translate('without thinking sent again'),
    assumed: () => translate('Output stays: the model thinks as much as before.'),
    read: text => (text === 'none' ? course => applied(withoutThinking(course) ?? course) : undefined),
  },
  start: {
    value: '+N|-N',
    help: () =>
      translate('N more or fewer tokens at the start of every prompt, such as a longer memory file'),
    label: () => translate('Start of prompts'),
    told: text => translate('with {0} tokens at the start of every prompt', text),
    assumed: () => translate('The tokens are the same in every request.'),
    read: text => {
      const tokens = readTokens(text.slice(1));
      const sign = { '+': 1, '-': -1 }[text.slice(0, 1)];
      return tokens === undefined || sign === undefined
        ? undefined
        : course =>
            applied({
              ...course,
              prompts: course.prompts.map(prompt => ({
                ...prompt,
                hidden: prompt.hidden + sign * tokens,
              })),
            });
    },
  },
  compaction: {
    value: 'off|N[,summary=N]',
    choices: ['off', '60k', '100k', '150k', '200k'],
    help: () =>
      translate('the history is compacted after a request and reply of more than N tokens together'),
    label: () => translate('Compaction'),
    told: text =>
      text === 'off'
        ? translate('without compaction')
        : withOptions(text, threshold => translate('with compaction above {0} tokens', threshold)),
    assumed: () =>
      translate(
        'What a compaction leaves is as large as in the recorded compactions of the session. Its own request counts where the agent records it, which Claude Code does not. With pruning, the threshold is compared with the unpruned prompt.',
      ),
    read: text => {
      const [first = '', ...words] = text.split(',');
      const threshold = first === 'off' ? Number.POSITIVE_INFINITY : readTokens(first);
      const members = readMembers(words, ['summary']);
      return threshold === undefined || members === undefined
        ? undefined
        : (course, { agent }) =>
            agent === 'opencode'
              ? // Predictions were wrong by far (docs/what-if.md).
                untold(translate('When {0} compacts, and what it keeps, is not known well enough.', agent))
              : orUntold(
                  withCompactions(course, {
                    threshold,
                    summary: members.get('summary'),
                    hasRequests: agent !== 'Claude Code',
                  }),
                  () => translate('No compaction is recorded, so the size of a summary is not known.'),
                );
    },
  },
  prune: {
    value: 'off|RULES[,protect=N][,minimum=N]',
    choices: ['off', ...pruneRuleSets, 'opencode,protect=20k,minimum=10k'],
    help: () => translate('old tool results are pruned by these rules: {0}', pruneRuleSets.join(', ')),
    label: () => translate('Pruning'),
    told: text =>
      text === 'off'
        ? translate('without pruning')
        : withOptions(text, rules => translate('with pruning by {0}', rules)),
    assumed: () => translate('Results that the agent pruned itself are put back first.'),
    read: text => {
      const [rules = '', ...words] = text.split(',');
      const members = readMembers(words, ['protect', 'minimum']);
      if (members === undefined || (rules === 'off' && words.length > 0)) {
        return undefined;
      }
      if (rules === 'off') {
        return course => applied(withClearedRestored(course));
      }
      const ruleSet = pruneRuleSets.find(known => known === rules);
      if (ruleSet === undefined) {
        return undefined;
      }
      const usual = defaultPruneOptions(ruleSet);
      const options = {
        ...usual,
        protectTokens: members.get('protect') ?? usual.protectTokens,
        minimumTokens: members.get('minimum') ?? usual.minimumTokens,
      };
      return course => applied(withPruning(withClearedRestored(course), options));
    },
  },
  breakpoints: {
    value: 'best',
    choices: ['best'],
    help: () => translate('breakpoints wherever a later request can read from the cache'),
    label: () => translate('Breakpoints'),
    told: () => translate('with the best breakpoints for the cache'),
    assumed: () => translate('A best plan may need more breakpoints than the provider allows.'),
    read: text => (text === 'best' ? course => applied({ ...course, placement: 'everywhere' }) : undefined),
  },
  lifetime: {
    value: '5m|1h',
    choices: ['5m', '1h'],
    help: () => translate('cache entries live 5 minutes or 1 hour (models with explicit caching)'),
    label: () => translate('Cache lifetime'),
    told: text =>
      text === '1h'
        ? translate('with a cache lifetime of 1 hour')
        : translate('with a cache lifetime of 5 minutes'),
    assumed: () => translate('Everything that is written to the cache is written for this time.'),
    read: text => {
      const lifetime = lifetimes.get(text);
      return lifetime === undefined
        ? undefined
        : course =>
            course.prompts.some(({ request }) => course.session.rowOf(request)?.cache.explicit === true)
              ? applied({ ...course, lifetime })
              : untold(translate('The lifetime cannot be chosen for the models of this session.'));
    },
  },
  model: {
    value: 'NAME',
    help: () => translate('the list prices of another model'),
    label: () => translate('Prices of model'),
    told: text => translate('at the prices of {0}', text),
    assumed: () => translate('The other model counts the same tokens.'),
    read: text =>
      text === ''
        ? undefined
        : (course, { lookUp }) => {
            const row = lookUp(text);
            return row?.prices === undefined
              ? untold(translate('no price known for {0}', text))
              : applied({ ...course, pricedAs: row });
          },
  },
};

export const settingKinds: readonly SettingKind[] = settingNames.map(name => ({ name, ...kinds[name] }));

/** Maximum length of `NAME=VALUE`, in UTF-16 units. */
const longestSetting = 500;

/** Reads `NAME=VALUE`; undefined if there is no such setting or it has no such value. */
export function readSetting(text: string): Setting | undefined {
  const at = text.indexOf('=');
  const name = settingNames.find(known => known === text.slice(0, Math.max(0, at)));
  const value = text.slice(at + 1).trim();
  const change = name === undefined || text.length > longestSetting ? undefined : kinds[name].read(value);
  return name === undefined || change === undefined ? undefined : { name, text: value, change };
}

/** Reads several; undefined if one cannot be read or is given twice. */
export function readSettings(texts: readonly string[]): readonly Setting[] | undefined {
  const settings = texts.flatMap(text => readSetting(text) ?? []);
  const names = new Set(settings.map(({ name }) => name));
  return settings.length === texts.length && names.size === texts.length ? settings : undefined;
}

/** True if a setting takes values besides its choices. */
export const takesOthers = ({ value, choices }: SettingKind): boolean => choices?.join('|') !== value;

/** A setting as it is given: `NAME=VALUE`. */
export const settingText = ({ name, text }: Pick<Setting, 'name' | 'text'>): string => `${name}=${text}`;

/** The settings in a sentence, as texts `NAME=VALUE`: `with a cache lifetime of 1 hour, without pruning`. */
export function settingsInWords(texts: readonly string[]): string {
  return texts
    .flatMap(text => readSetting(text) ?? [])
    .map(({ name, text }) => kinds[name].told(text))
    .reduce((words, next) => (words === '' ? next : translate('{0}, {1}', words, next)), '');
}

/** The assumptions of all settings, and those of the chosen ones, as sentences. */
export function assumptions(settings: readonly Setting[]): readonly string[] {
  return [
    translate('The model would have acted the same: same replies, calls and results at the same times.'),
    ...new Set(settings.map(({ name }) => kinds[name].assumed())),
  ];
}
