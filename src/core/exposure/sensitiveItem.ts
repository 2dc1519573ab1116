import * as v from 'valibot';
import { type Described, numbers } from '../base/schema';
import { findingLabel } from '../sensitivity/finding';

/** Where a secret stands in a block. It contains nothing of the secret. */
export const secretPlace = v.object({
  ...numbers('block'),
  /** Where the text of the block is JSON: the name of the member whose value has it, or whose name it is part of. */
  member: v.exactOptional(v.string()),
  isName: v.boolean(),
});

/** A secret or a piece of personal data, whatever the number of its places. It contains nothing of its text. */
export const sensitiveItem = v.object({
  rule: v.string(),
  label: findingLabel,
  /** By block; each member of a block once. */
  places: v.array(secretPlace),
});
export const sensitiveItems = v.array(sensitiveItem);
export type SecretPlace = Described<typeof secretPlace>;
export type SensitiveItem = Described<typeof sensitiveItem>;
