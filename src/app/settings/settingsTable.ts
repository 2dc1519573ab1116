import * as v from 'valibot';
import { isArray } from '../../core/base/json';
import { translate } from '../../core/base/translate';
import { addedFolderSchema, addedFoldersFrom } from '../../core/finder/addedFolders';
import { type PruneMember, pruneMembers } from '../../core/model/pruneConfig';
import { defaultUnpackLimits } from '../../core/reading/decoders/unpacking';
import { parseUserModels, userModelSchema } from '../../core/tokens/userModels';
import { wasteKinds } from '../../core/waste/wasteKinds';
import { thisMachine } from '../../node/thisMachine';
import { providerProblems, providerSchema, providersFrom } from './providerSettings';

/** A setting as package.json declares it; `npm run manifest` writes it there. Its texts are `settings.NAME` in package.nls.json. */
interface DeclaredSetting {
  readonly schema: v.GenericSchema;
  readonly usual: unknown;
  /** The position in the list of settings. */
  readonly order: number;
  /** `application` and `machine`: workspaces cannot set it. */
  readonly scope?: 'application' | 'machine';
  /** The format of the texts for a choice's values, `settings.NAME.VALUE`: Markdown or plain. */
  readonly choices?: 'markdown' | 'plain';
}

/** A checked setting, with one sentence for each unused value. */
interface ReadSetting<Value> {
  readonly value: Value;
  readonly problems: readonly string[];
}

/** A setting with its id. Its value is undefined if not set. */
interface Setting<Value> extends DeclaredSetting {
  readonly read: (value: unknown, id: string) => ReadSetting<Value>;
}

interface PlainSetting<Schema extends v.GenericSchema> extends DeclaredSetting {
  readonly schema: Schema;
  readonly usual: v.InferOutput<Schema>;
  /** Returns the replacement for a wrong value. Without this function, the default is used. */
  readonly mended?: (value: unknown) => v.InferOutput<Schema>;
}

/** A setting that accepts the values of its schema. */
function setting<const Schema extends v.GenericSchema>(
  row: PlainSetting<Schema>,
): Setting<v.InferOutput<Schema>> {
  const { schema, usual, mended = () => usual } = row;
  return {
    ...row,
    read: (value, id) => {
      if (value === undefined) {
        return { value: usual, problems: [] };
      }
      const parsed = v.safeParse(schema, value);
      return parsed.success
        ? { value: parsed.output, problems: [] }
        : { value: mended(value), problems: [invalidSetting(id)] };
    },
  };
}

const invalidSetting = (id: string): string => translate('The setting {0} is invalid.', id);

const wholeNumber = (least: number) => v.pipe(v.number(), v.safeInteger(), v.minValue(least));
const wholeNumberTo = (most: number) => v.pipe(wholeNumber(1), v.maxValue(most));
const userOnly = { scope: 'application' } as const;

/** The row of a member of `pruneMembers`. Its default depends on the rule set, so `pruneSettings.ts` reads all members together. */
function pruneSetting(
  name: PruneMember,
  order: number,
  choices?: DeclaredSetting['choices'],
): DeclaredSetting {
  const member = pruneMembers[name];
  const place = { usual: member.usual, order, ...(choices === undefined ? {} : { choices }) };
  switch (member.kind) {
    case 'choice':
      return { schema: v.picklist(member.values), ...place };
    case 'toggle':
      return { schema: v.boolean(), ...place };
    case 'count':
      return { schema: v.pipe(wholeNumber(0), v.maxValue(1_000_000)), ...place };
    case 'tools':
      return { schema: v.array(v.string()), ...place };
  }
}

const pruneTable = {
  'prune.ruleSet': pruneSetting('ruleSet', 1, 'markdown'),
  'prune.enabled': pruneSetting('enabled', 2),
  'prune.protectTokens': pruneSetting('protectTokens', 3),
  'prune.minimumTokens': pruneSetting('minimumTokens', 4),
  'prune.protectedTools': pruneSetting('protectedTools', 5),
  'prune.replacement': pruneSetting('replacement', 6, 'plain'),
  'prune.toolOutputMaxChars': pruneSetting('toolOutputMaxChars', 7),
  'prune.measure': pruneSetting('measure', 8, 'plain'),
  'prune.cacheWarmSuffixTokens': pruneSetting('cacheWarmSuffixTokens', 9),
} satisfies Readonly<Record<`prune.${PruneMember}`, DeclaredSetting>>;

export const bytesPerMegabyte = 1_000_000;

/** All other settings, by their names without `contextInspector`. VS Code ignores those of an untrusted workspace. */
const table = {
  'unpacking.ratio': setting({
    schema: wholeNumberTo(1_000_000),
    usual: defaultUnpackLimits.ratio,
    order: 11,
    ...userOnly,
  }),
  'unpacking.megabytes': setting({
    schema: wholeNumberTo(4000),
    usual: defaultUnpackLimits.bytes / bytesPerMegabyte,
    order: 12,
    ...userOnly,
  }),
  models: {
    schema: v.record(v.string(), userModelSchema),
    usual: {},
    order: 10,
    read: (value: unknown) => {
      const { models, problems } = parseUserModels(value ?? {});
      return { value: models, problems };
    },
  },
  'sessions.folders': {
    schema: v.array(addedFolderSchema),
    usual: [],
    order: 20,
    scope: 'machine',
    read: (value: unknown, id: string) => {
      const { folders, isValid } = addedFoldersFrom(value, thisMachine());
      return { value: folders, problems: isValid ? [] : [invalidSetting(id)] };
    },
  },
  'index.enabled': setting({ schema: v.boolean(), usual: true, order: 21, ...userOnly }),
  'live.statusBar': setting({
    schema: v.picklist(['afterFirstUse', 'always', 'never']),
    usual: 'afterFirstUse',
    order: 22,
    choices: 'markdown',
  }),
  'live.cacheNotice': setting({ schema: v.boolean(), usual: false, order: 23 }),
  hiddenWaste: setting({
    schema: v.pipe(
      v.array(v.picklist(wasteKinds)),
      v.check(kinds => new Set(kinds).size === kinds.length),
      v.metadata({ uniqueItems: true }),
    ),
    usual: [],
    order: 24,
    ...userOnly,
    mended: value => wasteKinds.filter(kind => isArray(value) && value.includes(kind)),
  }),
  'sensitivity.personalData': setting({ schema: v.boolean(), usual: true, order: 25 }),
  // Off unless the setting is clearly on.
  'asking.enabled': setting({
    schema: v.boolean(),
    usual: true,
    order: 30,
    ...userOnly,
    mended: () => false,
  }),
  'asking.providers': {
    schema: v.record(v.string(), providerSchema),
    usual: {},
    order: 31,
    ...userOnly,
    read: (value: unknown, id: string) => {
      const providers = providersFrom(value);
      return {
        value: providers,
        problems: providers === undefined ? [invalidSetting(id)] : providerProblems(providers),
      };
    },
  },
  'asking.maximumTokens': setting({ schema: wholeNumber(1), usual: 200_000, order: 32, ...userOnly }),
  'asking.maximumOutput': setting({ schema: wholeNumber(1), usual: 4096, order: 33, ...userOnly }),
  'asking.maximumCalls': setting({ schema: wholeNumber(1), usual: 20, order: 34, ...userOnly }),
  'mcp.server': setting({
    schema: v.picklist(['ask', 'on', 'off']),
    usual: 'ask',
    order: 40,
    choices: 'markdown',
    ...userOnly,
  }),
  // Off unless the setting is clearly on.
  'mcp.allFolders': setting({
    schema: v.boolean(),
    usual: false,
    order: 41,
    ...userOnly,
    mended: () => false,
  }),
} satisfies Readonly<Record<string, Setting<unknown>>>;

type SettingValues = {
  readonly [Name in keyof typeof table]: ReturnType<(typeof table)[Name]['read']>['value'];
};
export type SettingName = keyof SettingValues;
const settings: { readonly [Name in SettingName]: Setting<SettingValues[Name]> } = table;

/** The settings in package.json, in the same order. */
export const declaredSettings: Readonly<Record<string, DeclaredSetting>> = { ...pruneTable, ...settings };

export type DeclaredName = SettingName | keyof typeof pruneTable;

/** The names of the settings that only trusted workspaces can set. */
export const restrictedSettings: readonly string[] = Object.keys(settings);

type SectionOf<Name> = Name extends `${infer Section}.${string}` ? Section : never;
/** A setting, or the settings whose names begin with the same word. */
export type SettingSection = SettingName | SectionOf<SettingName> | 'prune';

const prefix = 'contextInspector.';

/** The id of a setting or a section in VS Code. */
export const settingId = (name: SettingSection | DeclaredName): string => `${prefix}${name}`;

/** The declared defaults, by the ids of the settings. */
export const usualValues: ReadonlyMap<string, unknown> = new Map(
  Object.entries(declaredSettings).map(([name, { usual }]) => [`${prefix}${name}`, usual]),
);

/** Returns the values of settings. An invalid value is replaced by its default. */
export type SettingReader = <Name extends SettingName>(name: Name) => SettingValues[Name];

/** @param tell gets a sentence for each unused value */
export function settingReader(
  valueOf: (id: string) => unknown,
  tell: (problems: readonly string[]) => void,
): SettingReader {
  return name => {
    const id = settingId(name);
    const { value, problems } = settings[name].read(valueOf(id), id);
    tell(problems);
    return value;
  };
}
