import * as v from 'valibot';
import type { Found, PruneMomentChoice, PruneOptionsChoice } from '../core/prune/search';
import { tokenQualities } from '../core/tokens/quality';
import { numbers, pruneOptions, schemaOf } from './schema';

const gained = v.object(numbers('money', 'inputTokens'));
const moment = v.object({
  ...numbers('request', 'tokensFreed', 'error', 'results'),
  quality: v.picklist(tokenQualities),
  gained,
  foreseen: v.exactOptional(gained),
  restsOn: v.exactOptional(v.number()),
});
const settings = v.object({ options: pruneOptions, gained, prunes: v.number() });

export const foundMoments = schemaOf<Found<PruneMomentChoice>>()(
  v.object({
    best: v.optional(moment),
    foreseen: v.optional(moment),
    ranked: v.array(moment),
    ...numbers('considered', 'unpriced'),
  }),
);

export const foundOptions = schemaOf<Found<PruneOptionsChoice>>()(
  v.object({
    best: v.optional(settings),
    foreseen: v.optional(settings),
    ranked: v.array(settings),
    ...numbers('considered', 'unpriced'),
  }),
);
