import * as v from 'valibot';
import { defined } from '../base/defined';
import { isObject } from '../base/json';
import { translate } from '../base/translate';
import type { ModelPrices, ModelRow, TokenPrices } from '../model/modelRow';
import { lookUpModel, modelLookUp, type ModelLookUp, modelTable, normalisedModelName } from './modelTable';
import { automaticCache } from './models/modelRows';
import { unknownPrior } from './tokenizerPrior';

const wholeNumber = (least: number) => {
  const expected = translate('a whole number, {0} or more', least);
  return v.pipe(v.number(expected), v.safeInteger(expected), v.minValue(least, expected));
};

const expectedPrice = translate('a price in US dollars per million tokens, 0 or more');
const price = v.pipe(v.number(expectedPrice), v.finite(expectedPrice), v.minValue(0, expectedPrice));

const tokenPrices = {
  input: price,
  output: price,
  cacheRead: v.exactOptional(price),
  cacheWrite: v.exactOptional(price),
  cacheWriteHour: v.exactOptional(price),
};

/** The message of each schema is the expected value. */
export const userModelSchema = v.strictObject(
  {
    contextWindow: v.exactOptional(wholeNumber(1)),
    prices: v.exactOptional(
      v.strictObject(
        {
          ...tokenPrices,
          above: v.exactOptional(
            v.strictObject(
              { inputTokens: wholeNumber(1), ...tokenPrices },
              translate('an object with inputTokens, input and output'),
            ),
          ),
        },
        translate('an object with input and output'),
      ),
    ),
    cache: v.exactOptional(
      v.strictObject(
        {
          minimumTokens: v.exactOptional(wholeNumber(0)),
          lifetimeSeconds: v.exactOptional(wholeNumber(1)),
          lookbackBlocks: v.exactOptional(wholeNumber(1)),
          maximumBreakpoints: v.exactOptional(wholeNumber(0)),
          granularityTokens: v.exactOptional(wholeNumber(1)),
          explicit: v.exactOptional(v.boolean(translate('true or false'))),
        },
        translate('an object'),
      ),
    ),
  },
  translate('an object'),
);

/** A user's settings for a model. Missing members keep the table's values. */
export type UserModel = v.InferOutput<typeof userModelSchema>;

/** The model's name, matched as in `ModelRow.match`. Provider, case and dots do not matter. */
export type UserModels = Readonly<Record<string, UserModel>>;

export interface ParsedUserModels {
  /** The valid models. */
  readonly models: UserModels;
  /** One sentence for each invalid model. */
  readonly problems: readonly string[];
}

/** Reads models from a setting or a file. */
export function parseUserModels(value: unknown): ParsedUserModels {
  if (!isObject(value)) {
    return {
      models: {},
      problems: [translate('The models must be a JSON object with a member for each model.')],
    };
  }
  const models: [string, UserModel][] = [];
  const problems: string[] = [];
  for (const [name, facts] of Object.entries(value)) {
    const parsed = v.safeParse(userModelSchema, facts);
    if (normalisedModelName(name) === '') {
      problems.push(translate('{0} is not a model name.', JSON.stringify(name)));
    } else if (parsed.success) {
      models.push([name, parsed.output]);
    } else {
      problems.push(problemOf(name, parsed.issues[0]));
    }
  }
  return { models: Object.fromEntries(models), problems };
}

function problemOf(name: string, issue: v.InferIssue<typeof userModelSchema>): string {
  const path = v.getDotPath(issue);
  if (path === null) {
    return translate('The model "{0}" must be {1}.', name, issue.message);
  }
  if (issue.type === 'strict_object' && issue.expected === 'never') {
    return translate('The model "{0}" cannot have the member "{1}".', name, path);
  }
  return issue.received === 'undefined'
    ? translate('The model "{0}" lacks the member "{1}".', name, path)
    : translate('The member "{1}" of the model "{0}" must be {2}.', name, path, issue.message);
}

/** The table, preceded by the user's rows. */
export function lookUpWith(models: UserModels): ModelLookUp {
  const names = Object.keys(models);
  return names.length === 0
    ? lookUpModel
    : modelLookUp([...names.map(name => rowOf(name, models[name] ?? {})), ...modelTable]);
}

function rowOf(name: string, { contextWindow, prices, cache }: UserModel): ModelRow {
  const known = lookUpModel(name);
  const { terms, tools } = known?.prices ?? {};
  const listed = prices === undefined ? known?.prices : { ...listOf(prices), ...defined({ terms, tools }) };
  return {
    match: normalisedModelName(name),
    family: known?.family ?? 'other',
    tokenizerPrior: known?.tokenizerPrior ?? unknownPrior,
    contextWindow: contextWindow ?? known?.contextWindow,
    ...(contextWindow === undefined ? {} : { windowSource: 'settings' }),
    ...(known?.eitherWindow === undefined ? {} : { eitherWindow: known.eitherWindow }),
    cache: {
      ...(known?.cache ?? automaticCache()),
      ...cache,
      // Survival observed elsewhere does not apply to a lifetime set by the user.
      ...(cache?.lifetimeSeconds === undefined ? {} : { survival: [] }),
    },
    ...(listed === undefined ? {} : { prices: listed }),
    source: translate('your settings'),
    asOf: '',
  };
}

function listOf({ above, ...list }: NonNullable<UserModel['prices']>): ModelPrices {
  if (above === undefined) {
    return pricesOf(list);
  }
  const { inputTokens, ...longer } = above;
  return { ...pricesOf(list), above: { inputTokens, prices: pricesOf(longer) } };
}

/** Without a price of its own, a cached token costs as much as a fresh one. */
function pricesOf(prices: Omit<NonNullable<UserModel['prices']>, 'above'>): TokenPrices {
  const { input, cacheRead = input, cacheWrite = input } = prices;
  return { ...prices, cacheRead, cacheWrite };
}
