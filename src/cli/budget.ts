import * as v from 'valibot';
import { isRecord } from '../core/base/jsonValue';

const tokens = (() => {
  const expected = 'a whole number of tokens, 0 or more';
  return v.pipe(v.number(expected), v.safeInteger(expected), v.minValue(0, expected));
})();
const amount = (() => {
  const expected = 'a whole number, 0 or more';
  return v.pipe(v.number(expected), v.safeInteger(expected), v.minValue(0, expected));
})();
const share = (() => {
  const expected = 'a share from 0 to 1';
  return v.pipe(v.number(expected), v.minValue(0, expected), v.maxValue(1, expected));
})();

/** The message of each schema says what it expects. */
const budgetSchema = v.strictObject({
  requests: v.optional(v.picklist(['last', 'every'], '"last" or "every"'), 'last'),
  maxSystemTokens: v.exactOptional(tokens),
  maxToolTokens: v.exactOptional(tokens),
  maxKnowledgeTokens: v.exactOptional(tokens),
  maxTotalTokens: v.exactOptional(tokens),
  maxWindowShare: v.exactOptional(share),
  minFrozenShare: v.exactOptional(share),
  maxRestrictedFindings: v.exactOptional(amount),
  maxCacheBreaks: v.exactOptional(amount),
});

/**
 * What `check` holds a transcript to; every limit is optional. Tokens are those of a request: `maxSystemTokens` counts
 * what is not recorded too, `maxToolTokens` the tool schemas, `minFrozenShare` the part that was read from the cache. `maxCacheBreaks` is
 * about the whole session.
 */
export type Budget = v.InferOutput<typeof budgetSchema>;

export type ParsedBudget =
  { readonly ok: true; readonly value: Budget } | { readonly ok: false; readonly problem: string };

/** Reads a budget from outside: the budget, or one sentence that names what is wrong. */
export function parseBudget(value: unknown): ParsedBudget {
  if (!isRecord(value)) {
    return { ok: false, problem: 'The budget must be a JSON object.' };
  }
  const parsed = v.safeParse(budgetSchema, value);
  if (parsed.success) {
    return { ok: true, value: parsed.output };
  }
  const issue = parsed.issues[0];
  const member = JSON.stringify(issue.path?.[0]?.key);
  return {
    ok: false,
    problem:
      issue.type === 'strict_object'
        ? `${member} is not a member of a budget; they are ${Object.keys(budgetSchema.entries).join(', ')}.`
        : `The budget's ${member} must be ${issue.message}.`,
  };
}
