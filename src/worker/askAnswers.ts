import type { ConversationPart } from '../core/model/conversation';
import { prunePreview } from '../core/prune/prunePreview';
import { type ComparedCall, compareReplies } from '../core/sending/compareReplies';
import { predictedRead, replyBefore } from '../core/sending/predictedRead';
import { redactConversation } from '../core/sending/redactConversation';
import { recordedReply, sentConversation } from '../core/sending/sentConversation';
import type { SecretScanner } from '../core/sensitivity/scanner';
import type { TranscriptSession } from '../core/session/transcriptSession';
import { noRequest } from '../core/view/requestNames';
import { buildRequestView, largestFirst } from '../core/view/requestView';
import type { ShownComparison } from '../protocol/askMessages';
import type { SentRequest, WorkerParams } from '../protocol/workerQuestions';

/** A request as it would be sent, with its figures. Sends nothing. Rejects if there is no such request. */
export async function sentRequest(
  session: TranscriptSession,
  { request, prune, keepSecrets }: WorkerParams<'sentRequest'>,
  scanner: SecretScanner,
): Promise<SentRequest> {
  const plain = await sentConversation(session, request, { prune, redactWith: undefined });
  if (plain === undefined) {
    throw new Error(noRequest(request));
  }
  const conversation = keepSecrets ? plain : await redactConversation(plain, scanner);
  const { columns } = session.toSession();
  const view = buildRequestView(columns, request);
  const preview = prune === undefined ? undefined : prunePreview(columns, view, prune);
  const missing = view.notRecorded.value;
  const whole = preview?.tokensAfter ?? view.total.value;
  const hasChanged = preview?.plan.executes === true;
  return {
    conversation,
    tokens: {
      value: Math.max(0, whole - missing),
      // An exact total counts the recorded request, including everything that the transcript does not contain.
      quality: hasChanged || missing > 0 ? view.quality : view.total.quality,
      ...(view.quality === 'exact' ? {} : { error: view.error }),
    },
    predictedRead: predictedRead(view, preview),
    replyBefore: replyBefore(session.transcript.requests, request),
    order: largestFirst(view).flatMap(position => view.blocks[position] ?? []),
    recordedModel: session.transcript.requests[request]?.model ?? '',
    // Redaction adds a note if it removes something.
    isAsRecorded: !hasChanged && conversation.notes.length === plain.notes.length,
  };
}

/**
 * The recorded and the new reply side by side. If credentials were removed from the request, they are also removed from
 * both replies before the comparison. Credentials are never shown.
 */
export async function compareReply(
  session: TranscriptSession,
  { request, parts, keepSecrets }: WorkerParams<'compareReply'>,
  scanner: SecretScanner,
): Promise<ShownComparison> {
  const recorded = await recordedReply(session, request);
  const shown = compareReplies(await withoutSecrets(recorded, scanner), await withoutSecrets(parts, scanner));
  const { isSameAction, isSameTools } = keepSecrets ? compareReplies(recorded, parts) : shown;
  return {
    hasRecorded: recorded.length > 0,
    isSameAction,
    isSameTools,
    calls: shown.calls.map(({ first, second, difference }) => ({
      first: shownCall(first),
      second: shownCall(second),
      difference,
    })),
    texts: shown.texts,
  };
}

async function withoutSecrets(
  parts: readonly ConversationPart[],
  scanner: SecretScanner,
): Promise<readonly ConversationPart[]> {
  const turns = [{ role: 'assistant', parts } as const];
  const redacted = await redactConversation(
    { system: [], tools: [], turns, breakpoints: [], notes: [] },
    scanner,
  );
  return redacted.turns.flatMap(turn => turn.parts);
}

function shownCall(
  call: ComparedCall['first'],
): { readonly name: string; readonly input: string } | undefined {
  if (call === undefined) {
    return undefined;
  }
  const { name, input } = call;
  return { name, input: typeof input === 'string' ? input : JSON.stringify(input ?? {}, null, 2) };
}
