import { CacheSession } from '../cache/cacheSession';
import type { TranscriptSession } from '../session/transcriptSession';
import type { ModelLookUp } from '../tokens/modelTable';
import { type WhatIfOptions, WhatIfRun } from '../whatIf/whatIf';
import { textFactsOf } from './wasteQuestion';

export interface WhatIfWish extends Pick<WhatIfOptions, 'includes'> {
  readonly lookUp: ModelLookUp;
  /** The threads of one session in a file with several; all if it is not given. */
  readonly threads?: readonly number[];
  /** True to find out which dropped results later texts refer to. Reads every text. */
  readonly findsLost: boolean;
}

/** Prepares a counted session for any number of settings. */
export async function whatIfRun(
  opened: TranscriptSession,
  { lookUp, threads, includes, findsLost }: WhatIfWish,
): Promise<WhatIfRun> {
  const session = opened.toSession();
  const facts = findsLost ? await textFactsOf(opened) : undefined;
  return new WhatIfRun(new CacheSession(session), {
    parts: session.summary.parts,
    agent: session.summary.agent.name,
    lookUp,
    ...(threads === undefined ? {} : { threads }),
    ...(includes === undefined ? {} : { includes }),
    ...(facts === undefined ? {} : { lastUse: (result: number) => facts.lastUse(result) }),
  });
}
