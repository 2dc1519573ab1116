import type { PrunePreview } from '../prune/prunePreview';
import type { RequestView } from '../view/requestView';

/** Tokens that a request should read from the cache when it is sent again, without the unrecorded part. */
export function predictedRead(
  { predicted, notRecorded }: Pick<RequestView, 'predicted' | 'notRecorded'>,
  preview: Pick<PrunePreview, 'plan' | 'prefix'> | undefined,
): number {
  const kept = preview?.plan.executes === true ? preview.prefix.tokens : predicted.tokens;
  return Math.max(0, Math.min(predicted.tokens, kept) - notRecorded.value);
}

/** The provider's id of the reply before a request in its conversation. The provider can compare with that reply. */
export function replyBefore(
  requests: readonly { readonly thread: number; readonly id?: string }[],
  request: number,
): string | undefined {
  const thread = requests[request]?.thread;
  return requests.findLast(
    (other, index) => index < request && other.thread === thread && other.id !== undefined,
  )?.id;
}
