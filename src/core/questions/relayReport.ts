import type { AnnotatedRequest } from '../context/annotatedRequest';
import { buildPromptIr } from '../context/promptIrBuilder';
import { contentTypeOf, roleOf } from '../model/blockWords';
import type { SessionColumns } from '../model/columns';
import type { BlockContentType } from '../model/labels';
import type { PromptIR, SpanId } from '../model/promptIr';
import { blocksOf } from '../model/requestBlocks';
import type { TextBlock } from '../session/taskStateOf';
import type { TranscriptSession } from '../session/transcriptSession';
import type { BreakpointPlan } from '../stability/breakpointPlan';
import { estimatedTokens, governorPlan } from '../stability/governorPlan';
import { analyzeObservations } from '../stability/governorStability';
import { learningKey } from '../stability/learningKey';
import { observationWindow } from '../stability/stability';
import { playedPlan, type StabilityReport } from '../stability/stabilityReport';
import { noRequest } from '../view/requestNames';
import { RequestTokens } from '../view/requestTokens';
import { recordedIrBody, requestPromptIr } from './renderedRequest';
import { annotatedRequestOf } from './requestIr';

/** A request in the form that NeMo Relay sees. */
interface RelayRequest {
  readonly request: number;
  readonly ir: PromptIR;
  /** The place on the wire of each block of the IR. */
  readonly places: readonly number[];
  /** The source of the IR: the recorded body, otherwise the request's blocks. */
  readonly annotated: () => AnnotatedRequest;
  readonly sources: readonly TextBlock[];
}

/**
 * NeMo Relay's knowledge before a request, if every request of the session counts as a run, and its plan for that
 * request. Tokens are its own estimate. Linear in the contexts of the earlier requests.
 */
export async function relayReport(
  session: TranscriptSession,
  request: number,
): Promise<{ readonly report: StabilityReport; readonly fingerprint: string | undefined }> {
  const {
    columns,
    summary: { models },
  } = session.toSession();
  const observed = earlierObservations(columns, request);
  const requests = await relayRequests(session, [...observed, request]);
  const live = requests.at(-1);
  const earlier = requests.slice(0, -1);
  if (live === undefined) {
    throw new RangeError(noRequest(request));
  }
  const { hashText } = session;
  const annotated = live.annotated();
  const key = learningKey('', session.transcript.requests[request]?.model, annotated, hashText);
  const stability =
    earlier.length === 0
      ? undefined
      : analyzeObservations(
          earlier.map(({ ir }) => ir),
          key,
          hashText,
        );
  const rules = session.modelRow(session.transcript.requests[request]?.model ?? '')?.cache;
  const notRecordedTokens = new RequestTokens(columns).prefix(request, 0);
  const plan: BreakpointPlan =
    rules?.explicit !== true
      ? { ok: false, reason: 'noBreakpoints' }
      : governorPlan({
          ir: live.ir,
          learningKey: key,
          stability,
          model: session.transcript.requests[request]?.model ?? '',
          // An unrecorded system prompt was sent nevertheless.
          hasSystemPrompt:
            notRecordedTokens > 0 || annotated.instructions !== undefined || live.sources.some(isSystemText),
          hashText,
        });
  const spans = spanPlaces(columns, requests);
  return {
    report: {
      request,
      observed,
      spans: (stability?.scores ?? []).map(
        ({ spanId, score, confidence, classification, observationCount }) => ({
          spanId,
          ...(spans.get(spanId) ?? { position: 0, block: 0 }),
          present: observationCount,
          score,
          class: classification,
          confidence,
        }),
      ),
      stablePrefixBlocks: stability?.stablePrefixLength ?? 0,
      stablePrefixTokens: estimatedTokens(live.ir, stability?.stablePrefixLength ?? 0),
      notRecordedTokens: 0,
      ...playedPlan(columns, models, request, [...observed, request], {
        ...plan,
        ...(plan.ok && {
          breakpoints: plan.breakpoints.map(breakpoint => ({
            ...breakpoint,
            position: live.places[breakpoint.position] ?? 0,
          })),
        }),
      }),
    },
    fingerprint: stability?.stablePrefixFingerprint,
  };
}

/** The newest earlier requests with the learning key of a request, up to the window, oldest first. */
function earlierObservations(columns: SessionColumns, request: number): readonly number[] {
  const key = keyContents(columns, request);
  const found: number[] = [];
  for (let other = request - 1; other >= 0 && found.length < observationWindow; other -= 1) {
    if (
      columns.requests.model[other] === columns.requests.model[request] &&
      keyContents(columns, other) === key
    ) {
      found.push(other);
    }
  }
  return found.reverse();
}

/** The content of a request's learning key besides its model: its scaffold or, without one, its first block. */
function keyContents(columns: SessionColumns, request: number): string {
  const { content } = columns.blocks;
  const blocks = blocksOf(columns, request);
  const scaffold = blocks.filter(block => isScaffold(columns, block));
  return (scaffold.length === 0 ? blocks.subarray(0, 1) : scaffold)
    .map(block => content[block] ?? 0)
    .join(' ');
}

function isScaffold({ blocks }: SessionColumns, block: number): boolean {
  return roleOf(blocks, block) === 'system' || isSchema(contentTypeOf(blocks, block));
}

function isSchema(type: BlockContentType): boolean {
  return type === 'tool_schema' || type === 'structured_output';
}

/** Requests in the given order, oldest first. A text is read once, however many requests contain it. */
async function relayRequests(
  session: TranscriptSession,
  requests: readonly number[],
): Promise<readonly RelayRequest[]> {
  const { columns } = session.toSession();
  const numbers = new Set(requests.flatMap(request => [...blocksOf(columns, request)]));
  const texts = new Map<number, TextBlock>();
  for await (const { block: number, text } of session.textsOf([...numbers])) {
    const block = session.transcript.blocks.at(number);
    if (block !== undefined) {
      texts.set(number, { block, text });
    }
  }
  const { hashText } = session;
  const found: RelayRequest[] = [];
  /** The longest request of each context. */
  const longest = new Map<number, RelayRequest>();
  for (const request of requests.toReversed()) {
    const sources: TextBlock[] = [];
    for (const block of blocksOf(columns, request)) {
      const source = texts.get(block);
      if (source !== undefined) {
        sources.push(source);
      }
    }
    const body = await recordedIrBody(session, request);
    const annotated = (): AnnotatedRequest => body?.request ?? annotatedRequestOf(sources);
    const context = columns.requests.context[request] ?? 0;
    const longer = body === undefined ? longest.get(context) : undefined;
    const places = body === undefined ? placesInOrder(sources) : await recordedPlaces(session, request);
    const ir =
      (longer && beginningOf(longer, places)) ??
      buildPromptIr(annotated(), { irId: '', createdAt: '', hashText, withSourceHash: body !== undefined });
    const relayed = { request, places, annotated, sources, ir };
    if (body === undefined && longer === undefined) {
      longest.set(context, relayed);
    }
    found.push(relayed);
  }
  return found.reverse();
}

/** The IR of an earlier request of the same context, if the later one begins with it. */
function beginningOf(
  { ir, places, sources }: RelayRequest,
  earlier: readonly number[],
): PromptIR | undefined {
  const isBeginning =
    earlier.every((place, index) => place === places[index]) &&
    places.slice(earlier.length).every(place => !isSchema(sources[place]?.block.contentType ?? 'text'));
  return isBeginning ? { ...ir, blocks: ir.blocks.slice(0, earlier.length) } : undefined;
}

function isSystemText({ block }: TextBlock): boolean {
  return block.role === 'system' && !isSchema(block.contentType);
}

/** The last place of each of upstream's blocks, which are coarser than the program's. */
async function recordedPlaces(session: TranscriptSession, request: number): Promise<readonly number[]> {
  const { upstream, own } = await requestPromptIr(session, request, { irId: '', createdAt: '' });
  const last = new Map<SpanId, number>();
  for (const { upstreamSpan, position } of own) {
    if (upstreamSpan !== undefined) {
      last.set(upstreamSpan, Math.max(position, last.get(upstreamSpan) ?? 0));
    }
  }
  return upstream.blocks.map(({ spanId }, index) => last.get(spanId) ?? index);
}

/** Upstream's order: the leading system texts, the tools, the output schema, and the rest. */
function placesInOrder(sources: readonly TextBlock[]): readonly number[] {
  const places = [...sources.keys()];
  const typeAt = (place: number): BlockContentType | undefined => sources[place]?.block.contentType;
  const messages = places.filter(place => !isSchema(typeAt(place) ?? 'text'));
  const end = messages.findIndex(place => sources[place]?.block.role !== 'system');
  const leading = end < 0 ? messages : messages.slice(0, end);
  return [
    ...leading,
    ...places.filter(place => typeAt(place) === 'tool_schema'),
    ...places.filter(place => typeAt(place) === 'structured_output').slice(0, 1),
    ...messages.slice(leading.length),
  ];
}

/** A block of each span, and its place on the wire in the newest request with the span. */
function spanPlaces(columns: SessionColumns, requests: readonly RelayRequest[]) {
  const found = new Map<SpanId, { readonly position: number; readonly block: number }>();
  for (const { request, ir, places } of requests.toReversed()) {
    const blocks = blocksOf(columns, request);
    for (const [index, { spanId }] of ir.blocks.entries()) {
      if (!found.has(spanId)) {
        const position = places[index] ?? 0;
        found.set(spanId, { position, block: blocks[position] ?? 0 });
      }
    }
  }
  return found;
}
