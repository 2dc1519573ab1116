import * as v from 'valibot';
import { type Described, numbers } from '../base/schema';
import { findingLabel } from '../sensitivity/finding';

/** The place of a secret in a block. It contains nothing of the secret. */
export const secretPlace = v.object({
  ...numbers('block'),
  /** If the text of the block is JSON: the name of the member whose value or name contains it. */
  member: v.exactOptional(v.string()),
  isName: v.boolean(),
});

/** A secret or a piece of personal data with all its places. It contains nothing of its text. */
export const sensitiveItem = v.object({
  rule: v.string(),
  label: findingLabel,
  /** By block; each member of a block once. */
  places: v.array(secretPlace),
});
export const sensitiveItems = v.array(sensitiveItem);
export type SecretPlace = Described<typeof secretPlace>;
export type SensitiveItem = Described<typeof sensitiveItem>;
