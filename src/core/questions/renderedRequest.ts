import { defined } from '../base/defined';
import { charTokenEngine } from '../context/charTokenEngine';
import { commonTurnPrefix, extendsFingerprint, prefixFingerprint } from '../context/fingerprint';
import { providerRequest } from '../wire/annotating/providerRequest';
import { renderContext } from '../context/render';
import { bodyBlockPaths } from '../wire/bodyBlocks';
import type { PrefixFingerprint } from '../model/renderedContext';
import type { Gate } from '../sensitivity/gate';
import { maskPage } from '../sensitivity/maskText';
import { requestPartitions } from '../session/requestPartitions';
import type { TextBlock } from '../session/taskStateOf';
import type { TranscriptSession } from '../session/transcriptSession';
import { frozenHistoryLengths } from '../view/frozenPrefix';
import { buildRequestView, spanIds } from '../view/requestView';
import type { RenderedSummary } from './answers';
import { type RecordedIrBody, type RequestIr, requestIr } from './requestIr';

/** Assumed window for upstream's renderer if the model's is unknown, in tokens. */
const assumedWindow = 200_000;

/** Messages that the upstream's renderer keeps whole (deepstrike-core 0.2.34, ContextConfig). */
const preserveRecentMsgs = 4;

const emptyUuid = '00000000-0000-4000-8000-000000000000';

/** A request in the upstream's four slots, compared with the previous request of the same thread. */
export async function renderedSummary(session: TranscriptSession, request: number): Promise<RenderedSummary> {
  const gate = session.openGate({ takesOut: 'everything sensitive' });
  const current = await renderRequest(session, request, gate);
  const thread = session.transcript.requests[request]?.thread;
  const before = session.transcript.requests.findLastIndex(
    (other, index) => index < request && other.thread === thread,
  );
  const previous = before < 0 ? undefined : (await renderRequest(session, before, gate)).fingerprint;
  const ir = await requestPromptIr(session, request, {
    irId: emptyUuid,
    createdAt: new Date(0).toISOString(),
  });
  const { context, fingerprint } = current;
  const state = context.stateTurn?.content;
  return {
    turns: context.turns.length,
    ...defined({
      stateTurn:
        typeof state === 'string'
          ? maskPage(state, await session.findingsIn(state), 0, state.length)
          : undefined,
      frozenPrefixLen: context.frozenPrefixLen,
      extendsPrevious: previous && extendsFingerprint(fingerprint, previous),
      commonTurnPrefix: previous && commonTurnPrefix(fingerprint, previous),
      sourceRequestHash: ir.upstream.sourceRequestHash,
    }),
    systemStableHash: fingerprint.systemStableHash,
    systemKnowledgeHash: fingerprint.systemKnowledgeHash,
    irBlocks: ir.upstream.blocks.length,
  };
}

/**
 * A request in the upstream's partitions and slots, with its fingerprint.
 * @param gate the gate for texts before the task state truncates them, so that no part of a secret stays; absent to
 * keep secrets
 */
export async function renderRequest(session: TranscriptSession, request: number, gate: Gate | undefined) {
  const blocks = await session.requestTexts(request);
  const partitions = requestPartitions(blocks, gate === undefined ? blocks : await stateTexts(blocks, gate));
  const window = session.toSession().columns.requests.window[request] ?? 0;
  const context = renderContext(partitions, {
    budget: window === 0 ? assumedWindow : window,
    engine: charTokenEngine,
    preserveRecentMsgs,
    frozenHistoryLen: frozenHistoryLengths(session.transcript)[request] ?? 0,
  });
  const fingerprint: PrefixFingerprint = prefixFingerprint(context);
  return { partitions, context, fingerprint };
}

/** The blocks that a task state quotes, redacted. */
async function stateTexts(blocks: readonly TextBlock[], gate: Gate): Promise<readonly TextBlock[]> {
  const redacted: TextBlock[] = [];
  for (const source of blocks) {
    const { kind, toolName } = source.block;
    const isQuoted = kind === 'prompt' || kind === 'summary' || kind === 'toolCall';
    redacted.push(
      isQuoted
        ? {
            text: await gate.text(source.text),
            block:
              toolName === undefined
                ? source.block
                : { ...source.block, toolName: await gate.text(toolName) },
          }
        : source,
    );
  }
  return redacted;
}

/** The Prompt IR of a request: upstream's and the program's own. */
export async function requestPromptIr(
  session: TranscriptSession,
  request: number,
  identity: { readonly irId: string; readonly createdAt: string },
): Promise<RequestIr> {
  const { columns } = session.toSession();
  const view = buildRequestView(columns, request);
  const texts = await session.requestTexts(request);
  const ids = spanIds(columns, view);
  return requestIr(
    texts.flatMap((source, position) => {
      const id = ids[position];
      return id === undefined
        ? []
        : [
            {
              ...source,
              sequenceIndex: id.sequenceIndex,
              position,
              tokens: view.tokens[position] ?? 0,
              sensitivity: columns.blocks.sensitivity[view.blocks[position] ?? 0] ?? 0,
            },
          ];
    }),
    { ...identity, modelFamily: session.modelRow(session.model)?.family ?? session.model },
    await recordedIrBody(session, request),
    session.hashText,
  );
}

/** The recorded body of a request, as upstream reads it. */
export async function recordedIrBody(
  session: TranscriptSession,
  request: number,
): Promise<RecordedIrBody | undefined> {
  const { body: recorded } = session.transcript.requests[request] ?? {};
  if (recorded === undefined) {
    return undefined;
  }
  const body = await session.requestBody(request);
  const read = providerRequest(recorded.api, body);
  return read === undefined ? undefined : { request: read, paths: bodyBlockPaths(recorded.api, body) };
}
