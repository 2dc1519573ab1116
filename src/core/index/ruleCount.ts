import * as v from 'valibot';
import type { Described } from '../base/schema';
import { findingLabel } from '../sensitivity/finding';

/** The number of findings of a scanner's rule. See SensitivityFinding. */
export const ruleCount = v.strictObject({ rule: v.string(), label: findingLabel, count: v.number() });
export type RuleCount = Described<typeof ruleCount>;
