import * as v from 'valibot';
import { isRecord } from '../core/base/jsonValue';
import { translate } from '../core/base/translate';

const wholeNumber = (expected: string) =>
  v.pipe(v.number(expected), v.safeInteger(expected), v.minValue(0, expected));
const tokens = wholeNumber(translate('a whole number of tokens, 0 or more'));
const amount = wholeNumber(translate('a whole number, 0 or more'));
const fraction = translate('a share from 0 to 1');
const share = v.pipe(v.number(fraction), v.minValue(0, fraction), v.maxValue(1, fraction));

/** The message of each schema is the expected value. */
const budgetSchema = v.strictObject({
  requests: v.optional(v.picklist(['last', 'every'], translate('"last" or "every"')), 'last'),
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
 * The limits that `check` compares a transcript with, all optional. Token limits apply to one request.
 * `maxSystemTokens` includes the unrecorded part, `maxToolTokens` counts the tool schemas, `minFrozenShare` is about
 * the part read from the cache, and `maxCacheBreaks` is about the whole session.
 */
export type Budget = v.InferOutput<typeof budgetSchema>;

export type ParsedBudget =
  | { readonly ok: true; readonly value: Budget }
  | { readonly ok: false; readonly problem: string };

/** Checks a budget from outside. A problem is returned as one sentence. */
export function parseBudget(value: unknown): ParsedBudget {
  if (!isRecord(value)) {
    return { ok: false, problem: translate('The budget must be a JSON object.') };
  }
  const parsed = v.safeParse(budgetSchema, value);
  if (parsed.success) {
    return { ok: true, value: parsed.output };
  }
  const issue = parsed.issues[0];
  const member = JSON.stringify(issue.path?.[0]?.key);
  const known = Object.keys(budgetSchema.entries).join(', ');
  return {
    ok: false,
    problem:
      issue.type === 'strict_object'
        ? translate('A budget has no member {0}. The members are {1}.', member, known)
        : translate('The member {0} of the budget must be {1}.', member, issue.message),
  };
}
