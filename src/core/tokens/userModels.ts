import type { ModelPrices, ModelRow, TokenPrices } from '../model/modelRow';
import * as v from 'valibot';
import { isObject } from '../base/json';
import { automaticCache } from './models/modelRows';
import { lookUpModel, modelLookUp, modelTable, normalisedModelName, type ModelLookUp } from './modelTable';
import { unknownPrior } from './tokenizerPrior';

const wholeNumber = (unit: string, least: number) => {
  const expected = `a whole number of ${unit}, ${least} or more`;
  return v.pipe(v.number(expected), v.safeInteger(expected), v.minValue(least, expected));
};

const expectedPrice = 'US dollars for a million tokens, 0 or more';
const price = v.pipe(v.number(expectedPrice), v.finite(expectedPrice), v.minValue(0, expectedPrice));

const tokenPrices = {
  input: price,
  output: price,
  cacheRead: v.exactOptional(price),
  cacheWrite: v.exactOptional(price),
  cacheWriteHour: v.exactOptional(price),
};

/** The message of each schema says what it expects. */
const modelSchema = v.strictObject(
  {
    contextWindow: v.exactOptional(wholeNumber('tokens', 1)),
    prices: v.exactOptional(
      v.strictObject(
        {
          ...tokenPrices,
          above: v.exactOptional(
            v.strictObject(
              { inputTokens: wholeNumber('tokens', 1), ...tokenPrices },
              'an object with inputTokens, input and output',
            ),
          ),
        },
        'an object with input and output',
      ),
    ),
    cache: v.exactOptional(
      v.strictObject(
        {
          minimumTokens: v.exactOptional(wholeNumber('tokens', 0)),
          lifetimeSeconds: v.exactOptional(wholeNumber('seconds', 1)),
          lookbackBlocks: v.exactOptional(wholeNumber('blocks', 1)),
          maximumBreakpoints: v.exactOptional(wholeNumber('breakpoints', 0)),
          granularityTokens: v.exactOptional(wholeNumber('tokens', 1)),
          explicit: v.exactOptional(v.boolean('true or false')),
        },
        'an object',
      ),
    ),
  },
  'an object',
);

/** A user's settings for a model; members left out are those of the table. */
export type UserModel = v.InferOutput<typeof modelSchema>;

/** By the model's name, as `ModelRow.match` matches it; provider, capitals and dots do not matter. */
export type UserModels = Readonly<Record<string, UserModel>>;

export interface ParsedUserModels {
  /** The valid ones. */
  readonly models: UserModels;
  /** One sentence for each invalid model. */
  readonly problems: readonly string[];
}

/** Reads models from a setting or a file. */
export function parseUserModels(value: unknown): ParsedUserModels {
  if (!isObject(value)) {
    return { models: {}, problems: ['The models must be a JSON object with a member for each model.'] };
  }
  const models: [string, UserModel][] = [];
  const problems: string[] = [];
  for (const [name, facts] of Object.entries(value)) {
    const parsed = v.safeParse(modelSchema, facts);
    if (normalisedModelName(name) === '') {
      problems.push(`${JSON.stringify(name)} is no name of a model.`);
    } else if (parsed.success) {
      models.push([name, parsed.output]);
    } else {
      problems.push(problemOf(name, parsed.issues[0]));
    }
  }
  return { models: Object.fromEntries(models), problems };
}

function problemOf(name: string, issue: v.InferIssue<typeof modelSchema>): string {
  const path = v.getDotPath(issue);
  const place = `${path === null ? '' : `"${path}" of `}the model ${JSON.stringify(name)}`;
  if (issue.type === 'strict_object' && issue.expected === 'never') {
    return `There is no member ${place}.`;
  }
  return issue.received === 'undefined'
    ? `The member ${place} is missing.`
    : `${path === null ? 'What is said of' : 'The member'} ${place} must be ${issue.message}.`;
}

/** The table with the rows of the user before it. */
export function lookUpWith(models: UserModels): ModelLookUp {
  const names = Object.keys(models);
  return names.length === 0
    ? lookUpModel
    : modelLookUp([...names.map(name => rowOf(name, models[name] ?? {})), ...modelTable]);
}

function rowOf(name: string, { contextWindow, prices, cache }: UserModel): ModelRow {
  const known = lookUpModel(name);
  const listed = prices === undefined ? known?.prices : listOf(prices);
  return {
    match: normalisedModelName(name),
    family: known?.family ?? 'other',
    tokenizerPrior: known?.tokenizerPrior ?? unknownPrior,
    contextWindow: contextWindow ?? known?.contextWindow,
    cache: { ...(known?.cache ?? automaticCache()), ...cache },
    ...(listed === undefined ? {} : { prices: listed }),
    source: 'your settings',
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

/** Without its own price a cached token costs as much as a fresh one. */
function pricesOf(prices: Omit<NonNullable<UserModel['prices']>, 'above'>): TokenPrices {
  const { input, cacheRead = input, cacheWrite = input } = prices;
  return { ...prices, cacheRead, cacheWrite };
}
