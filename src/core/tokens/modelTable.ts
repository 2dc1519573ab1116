import type { ModelRow } from '../model/modelRow';
import { anthropicModels } from './models/anthropic';
import { deepseekModels } from './models/deepseek';
import { googleModels } from './models/google';
import { minimaxModels } from './models/minimax';
import { mistralModels } from './models/mistral';
import { moonshotModels } from './models/moonshot';
import { openaiModels } from './models/openai';
import { qwenModels } from './models/qwen';
import { xaiModels } from './models/xai';
import { zhipuModels } from './models/zhipu';
import { million } from './prices';

/** Check against the sources before relying on a figure: minimums, windows and prices change from month to month. */
export const modelTable: readonly ModelRow[] = [
  ...anthropicModels,
  ...openaiModels,
  ...googleModels,
  ...deepseekModels,
  ...zhipuModels,
  ...qwenModels,
  ...moonshotModels,
  ...xaiModels,
  ...mistralModels,
  ...minimaxModels,
];

/** Looks up what is known about a model; undefined for an unknown one. */
export type ModelLookUp = (id: string) => ModelRow | undefined;

const longContext = '[1m]';

/** After a model's name, only a variant or a date may follow: one or two digits would be another version. */
const sameVersion = /^(?:$|[-@:](?!\d{1,2}(?!\d)))/;
/** A name that contains only letters matches the whole family, every version of it. */
const wholeFamily = /^[a-z]+$/;
const anyVersion = /^(?![a-z])/;
/** The suffixes of a name that do not change the price: a release date or number, and the reasoning effort. */
const samePrice =
  /^(?:[-@:](?:\d{4,8}|\d{4}-\d{2}-\d{2}|v\d+|\d|latest|preview|exp|default|thinking|reasoning|minimal|low|medium|high|xhigh))*$/;

function matches({ match }: ModelRow, name: string): boolean {
  const follows = wholeFamily.test(match) ? anyVersion : sameVersion;
  return name.startsWith(match) && follows.test(name.slice(match.length));
}

/** Lower case, without provider (`anthropic/`, `us.anthropic.`), dots written as dashes. */
export function normalisedModelName(id: string): string {
  return id
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/^(?:[a-z-]+\.)+(?=[a-z])/, '')
    .replaceAll('.', '-');
}

/**
 * Looks models up in `rows`. Uses the row with exactly this id in the agents' spelling, otherwise the row with the
 * longest name that the id begins with. Dates, provider prefixes, and dots instead of dashes do not matter. Another
 * version never matches a known one (`claude-opus-4.9` is not `claude-opus-4`), and a variant that the rows do not name
 * (`-fast`) has no prices. The suffix `[1m]` sets the window to 1,000,000. If several rows have the same name, the
 * first is used.
 */
export function modelLookUp(rows: readonly ModelRow[]): ModelLookUp {
  const byLength = [...rows].sort((first, second) => second.match.length - first.match.length);
  const known = new Map<string, ModelRow | undefined>();
  return id => {
    if (!known.has(id)) {
      known.set(id, find(byLength, id));
    }
    return known.get(id);
  };
}

function find(rows: readonly ModelRow[], id: string): ModelRow | undefined {
  const name = normalisedModelName(id);
  const plain = name.endsWith(longContext) ? name.slice(0, -longContext.length) : name;
  const row = rows.find(candidate => matches(candidate, plain));
  if (row === undefined) {
    return undefined;
  }
  const { prices, ...listed } = row;
  const others =
    plain === name ? listed : ({ ...listed, contextWindow: million, windowSource: 'model' } as const);
  return prices !== undefined && samePrice.test(plain.slice(row.match.length))
    ? { ...others, prices }
    : others;
}

/** Looks up models in the built-in table. */
export const lookUpModel: ModelLookUp = modelLookUp(modelTable);
