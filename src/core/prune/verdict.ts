import { requests, tokens } from '../base/countWords';
import { formatMoney } from '../base/format';
import { translate } from '../base/translate';
import { statesRange } from '../tokens/qualityWords';
import { hindsightOf } from './hindsight';
import type { LastingEnd } from './laterRequests';
import type { NetWorth, PruneNet } from './net';

/** `unknown`: the prices are. `unsure`: the error of the figures is larger than the gain or loss. */
export type VerdictKind = 'worthIt' | 'notWorthIt' | 'unsure' | 'unknown';

export interface PruneVerdict {
  readonly kind: VerdictKind;
  readonly sentence: string;
}

/** The events after which a prune saves nothing more. */
export const endWords: Readonly<Record<LastingEnd, string>> = {
  sessionEnd: translate('the session ends'),
  rewritten: translate('the history is rewritten'),
  compaction: translate('a compaction drops the results'),
  clearing: translate('the agent prunes the results'),
};

/**
 * Says in one sentence if a prune is worth it.
 * @param request the number of the request for people
 */
export function pruneVerdict(net: PruneNet, request: string): PruneVerdict {
  const { worth, tokensFreed } = net;
  if (worth === undefined) {
    return {
      kind: 'unknown',
      sentence: translate(
        'Pruning at request {0} frees {1}. It is unknown if this is worth it, as the prices are unknown.',
        request,
        tokens(tokensFreed),
      ),
    };
  }
  const kind = kindOf(net, worth);
  const isLast = net.later.requests === 0 && net.later.end === 'sessionEnd';
  return {
    kind,
    sentence:
      kind === 'notWorthIt' && isLast
        ? translate(
            'Not worth it here: this is the last request, so the {0} rewrite is never recovered.',
            formatMoney(worth.rewrite.money),
          )
        : translate(
            '{0} at request {1}: {2}.',
            headOf(kind, net, worth),
            request,
            reasonOf(kind, net, worth),
          ),
  };
}

/** The gain or loss in US dollars, with the error of what it saves. */
function range({ quality, error }: PruneNet, { gained, rewrite }: NetWorth): readonly [number, number] {
  const spread = quality === 'exact' ? 0 : error * (gained.money + rewrite.money);
  return [gained.money - spread, gained.money + spread];
}

function kindOf(net: PruneNet, worth: NetWorth): VerdictKind {
  const [low, high] = range(net, worth);
  return low < 0 && high > 0 ? 'unsure' : worth.gained.money > 0 ? 'worthIt' : 'notWorthIt';
}

function headOf(kind: VerdictKind, net: PruneNet, worth: NetWorth): string {
  const isRough = statesRange(net);
  switch (kind) {
    case 'unsure':
      return translate('Can’t tell if it is worth it');
    case 'worthIt':
      return hindsightOf(worth) !== undefined
        ? translate('Worth it in hindsight')
        : isRough
          ? translate('Probably worth it')
          : translate('Worth it');
    case 'notWorthIt':
    case 'unknown':
      return isRough ? translate('Probably not worth it') : translate('Not worth it');
  }
}

function reasonOf(kind: VerdictKind, net: PruneNet, worth: NetWorth): string {
  const { rewrite, gained, curve } = worth;
  const { later } = net;
  if (kind === 'unsure') {
    const [low, high] = range(net, worth);
    return translate('it costs up to {0} more, or saves up to {1}', formatMoney(-low), formatMoney(high));
  }
  if (kind === 'worthIt') {
    const even = curve.findIndex(({ saved }) => saved >= 0);
    return net.tokensRewritten === 0
      ? translate('saves {0}, and nothing has to be rewritten', formatMoney(gained.money))
      : even <= 0
        ? translate(
            'saves {0} after a rewrite of {1}, pays back at once',
            formatMoney(gained.money),
            formatMoney(rewrite.money),
          )
        : translate(
            'saves {0} after a rewrite of {1}, pays back in {2}',
            formatMoney(gained.money),
            formatMoney(rewrite.money),
            requests(even),
          );
  }
  return later.requests === 0
    ? translate(
        'right after it, {0}, so the {1} rewrite is never recovered',
        endWords[later.end],
        formatMoney(rewrite.money),
      )
    : translate(
        'the {0} rewrite is not recovered in {1} until {2}, so it costs {3} more',
        formatMoney(rewrite.money),
        requests(later.requests),
        endWords[later.end],
        formatMoney(-gained.money),
      );
}
