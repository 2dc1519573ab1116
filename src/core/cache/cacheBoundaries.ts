import { defined } from '../base/defined';
import { predictionReasons } from '../model/columns';
import { hasCachedPrefix } from '../view/requestView';
import type { BoundaryVerdict, ConservationVerdict, RequestBoundary } from './cacheFinding';
import type { CacheSession } from './cacheSession';

/** The largest difference between a recorded and a predicted boundary that still counts as agreement, as a share. */
const agreeingShare = 0.02;

/** The boundary of every request from its three sources, and whether they agree. */
export function findBoundaries(session: CacheSession): readonly RequestBoundary[] {
  return Array.from(session.columns.requests.context, (_, request) => {
    const predicted = predictedBoundary(session, request);
    const recorded =
      session.isRecorded(request) && session.use.isUsed(request) ? session.readOf(request) : undefined;
    const previous = session.previousOf(request);
    const readable = previous === undefined ? undefined : session.use.leftReadable(previous);
    const agreement = agreementOf(session, request, recorded, predicted);
    const mark = session.marks.get(request)?.at(-1);
    return {
      request,
      ...defined({
        recorded,
        diagnosis: session.diagnosisOf(request),
        readable,
        declared:
          mark === undefined
            ? undefined
            : { position: mark, tokens: session.tokens.prefix(request, mark + 1) },
        surplus: agreement === 'beyond' ? surplusOf(session, request, recorded ?? 0, predicted) : undefined,
      }),
      conservation: conservationOf(session, request, recorded, readable),
      predicted,
      agreement,
    };
  });
}

/**
 * The predicted boundary in tokens: the provider's count if a whole earlier request is read again, otherwise the
 * calibrated tokens of the equal blocks.
 */
function predictedBoundary(session: CacheSession, request: number): RequestBoundary['predicted'] {
  const { columns, tokens, use } = session;
  const blocks = columns.requests.predictedBlocks[request] ?? 0;
  const reason = predictionReasons[columns.requests.predictionReason[request] ?? 0] ?? 'firstRequest';
  const from = session.sourceOf(request);
  const rest = { blocks, reason, ...(from === undefined ? {} : { from }) };
  const quality = session.isRecorded(request) ? 'calibrated' : 'estimated';
  if (from === undefined || (blocks === 0 && !hasCachedPrefix(reason))) {
    return { tokens: 0, quality, ...rest };
  }
  const left = use.isUsed(from) ? use.leftReadable(from) : undefined;
  if (left !== undefined && blocks >= session.lengthOf(from)) {
    return { tokens: Math.min(left, tokens.total(request)), quality: 'exact', ...rest };
  }
  // The unrecorded part may have changed too, so at most the smaller of the two can be equal.
  const surplus = Math.max(0, tokens.notRecorded(request) - tokens.notRecorded(from));
  const equal = Math.max(0, tokens.prefix(request, blocks) - surplus);
  return { tokens: Math.min(equal, left ?? equal), quality, ...rest };
}

function conservationOf(
  { use }: CacheSession,
  request: number,
  recorded: number | undefined,
  readable: number | undefined,
): ConservationVerdict {
  if (recorded === undefined || readable === undefined) {
    return 'unknown';
  }
  const difference = recorded - readable;
  if (Math.abs(difference) <= use.tolerance(request)) {
    return 'kept';
  }
  return difference < 0 ? 'short' : 'more';
}

function agreementOf(
  { columns, tokens, use }: CacheSession,
  request: number,
  recorded: number | undefined,
  predicted: RequestBoundary['predicted'],
): BoundaryVerdict {
  if (recorded === undefined) {
    return 'unknown';
  }
  const difference = recorded - predicted.tokens;
  const edge = tokens.prefix(request, predicted.blocks);
  const block =
    difference < 0
      ? edge - tokens.prefix(request, Math.max(0, predicted.blocks - 1))
      : tokens.prefix(request, Math.min(columns.requests.length[request] ?? 0, predicted.blocks + 1)) - edge;
  const near = Math.max(agreeingShare * predicted.tokens, block, use.tolerance(request));
  if (Math.abs(difference) <= near) {
    return 'agrees';
  }
  return difference < 0 ? 'short' : 'beyond';
}

function surplusOf(
  session: CacheSession,
  request: number,
  recorded: number,
  { reason, quality, from }: RequestBoundary['predicted'],
): NonNullable<RequestBoundary['surplus']> {
  const { use, tokens } = session;
  const earlier = [session.previousOf(request), from];
  const most = (left: (request: number) => number | undefined): number =>
    Math.max(...earlier.map(number => (number === undefined ? 0 : (left(number) ?? 0)))) +
    use.tolerance(request);
  if (tokens.total(request) === 0 || recorded > most(number => use.leftWithReply(number))) {
    return 'elsewhere';
  }
  if (recorded > most(number => use.leftReadable(number))) {
    return 'reply';
  }
  if (reason === 'lifetimeExpired') {
    return 'outlived';
  }
  return quality === 'exact' || !hasCachedPrefix(reason) ? 'elsewhere' : 'estimate';
}
