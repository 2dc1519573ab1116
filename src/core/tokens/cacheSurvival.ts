import type { CacheRules, CacheSurvival, ModelFamily } from '../model/modelRow';
import cachePauses from './measured/cachePauses.json';
import { pauseLimits } from './pauseLimits';

/** The known survival of a model's caches: its own counts, or those of its family if it has too few. */
export function survivalOf(
  family: ModelFamily,
  match: string,
  promised: number | undefined,
): readonly CacheSurvival[] {
  const counts = cachePauses.filter(each => each.family === family && each.promised === (promised ?? 0));
  const own = counts.filter(({ model }) => model === match);
  return counts
    .filter(({ model }) => model === undefined)
    .flatMap(({ asked, pauses }) =>
      pauses.flatMap((all, place) => {
        const seen = own.find(each => each.asked === asked)?.pauses[place];
        const isOwn = seen !== undefined && seen[1] > 0;
        const [survived, of] = isOwn ? seen : all;
        const from = pauseLimits[place - 1] ?? 0;
        const to = pauseLimits[place] ?? from;
        return of === 0 ? [] : [{ asked, from, to, survived, of, isOwn }];
      }),
    );
}

/** The standard normal deviate that leaves 5 % on either side. */
const deviate = 1.645;

/**
 * The range that contains the true share with 90 % confidence, rounded outwards to whole percents (E. B. Wilson,
 * Journal of the American Statistical Association 22, 1927).
 */
export function shareInterval(part: number, whole: number): readonly [low: number, high: number] {
  const square = deviate ** 2;
  const middle = (part + square / 2) / (whole + square);
  const spread = (deviate * Math.sqrt((part * (whole - part)) / whole + square / 4)) / (whole + square);
  const low = Math.max(0, Math.floor(100 * (middle - spread)));
  const high = Math.min(100, Math.ceil(100 * (middle + spread)));
  return [low / 100, high / 100];
}

/** The observed share of caches that survived a pause of this many seconds; undefined if too few were observed. */
export function survivalAfter(
  rules: CacheRules | undefined,
  asked: number | undefined,
  seconds: number,
): CacheSurvival | undefined {
  return rules?.survival?.find(
    each => each.asked === (asked ?? 0) && seconds > each.from && seconds <= each.to,
  );
}

/**
 * A pause is a likely cause if it loses at least this share of the caches, and this many times the share that the
 * shortest pause loses.
 */
const losing = { share: 0.1, times: 2 } as const;

/** True if pauses of this many seconds were observed to lose clearly more caches than the shortest ones. */
export function losesCaches(rules: CacheRules | undefined, seconds: number): boolean {
  const [here, shortest] = [survivalAfter(rules, undefined, seconds), survivalAfter(rules, undefined, 1)];
  if (here === undefined || shortest === undefined) {
    return false;
  }
  const least = 1 - shareInterval(here.survived, here.of)[1];
  const usual = 1 - shareInterval(shortest.survived, shortest.of)[0];
  return least >= Math.max(losing.share, losing.times * usual);
}

/**
 * Seconds after which most caches are gone if no lifetime was requested: the promised lifetime; longer if most were
 * observed to live longer; shorter if most of the model's own were observed to end earlier. Undefined if nothing is
 * promised and no end was observed.
 */
export function usualLifetime(rules: CacheRules | undefined): number | undefined {
  const promised = rules?.lifetimeSeconds;
  const seen = rules?.survival?.filter(({ asked }) => asked === 0) ?? [];
  const gone = seen.find(
    ({ survived, of, isOwn }) => (isOwn || promised === undefined) && shareInterval(survived, of)[1] < 0.5,
  );
  const end = gone?.from ?? Number.POSITIVE_INFINITY;
  const kept = seen.findLast(({ survived, of, to }) => to <= end && shareInterval(survived, of)[0] > 0.5);
  if (kept === undefined || (promised === undefined && gone === undefined)) {
    return promised;
  }
  return promised === undefined || end < promised ? kept.to : Math.max(promised, kept.to);
}
