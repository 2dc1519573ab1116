import type { JsonValueObject } from '../base/jsonValue';
import { partitionsToJson, renderedToJson } from '../context/contextJson';
import { blockToJson, promptIrToJson } from '../model/promptIr';
import { renderRequest, requestPromptIr } from '../questions/renderedRequest';
import type { OwnBlock } from '../questions/requestIr';
import type { Gate } from '../sensitivity/gate';
import type { SecretScanner } from '../sensitivity/scanner';
import type { TranscriptSession } from '../session/transcriptSession';
import { sensitivityFindings } from './sensitivityFindings';

export interface ContextExportInput {
  readonly session: TranscriptSession;
  readonly request: number;
  readonly scanner: SecretScanner;
  /** A random UUID, and the time in RFC 3339, UTC. */
  readonly identity: { readonly irId: string; readonly createdAt: string };
}

/**
 * The context of a request as one JSON object: `promptIr`, `partitions` and `rendered` in the snake_case of their
 * original systems, the `fingerprint` of the rendering (16 hex digits each), and the `findings` by rule and place
 * (UTF-16 offsets into the block's text). `promptIr` is NeMo Relay's result for the sent request. If the sent request
 * is not recorded, `promptIrOf` is `blocks`: then it is built from `blocks` and has no `source_request_hash`. `blocks`
 * are the program's own, finer and with its labels and tokens: `position` is a block's place on the wire,
 * `upstream_span` the block of `promptIr` that it belongs to. `version` increases when the meaning of a member changes.
 * Hashes are computed before redaction.
 * @param gate the gate that the result will pass, because here only truncated texts have passed it; absent if secrets
 * are kept
 */
export async function exportContext(
  { session, request, scanner, identity }: ContextExportInput,
  gate: Gate | undefined,
): Promise<JsonValueObject> {
  const { transcript } = session;
  const { partitions, context, fingerprint } = await renderRequest(session, request, gate);
  const recorded = transcript.requests[request];
  const blocks = (transcript.contexts[recorded?.context ?? 0] ?? []).slice(0, recorded?.length);
  const ir = await requestPromptIr(session, request, identity);
  const findings = await sensitivityFindings(session, [...new Set(blocks)], scanner);
  return {
    schema: 'context-inspector/context',
    version: 2,
    format: transcript.format,
    agent: { name: transcript.agent.name, versions: transcript.agent.versions },
    model: recorded?.model ?? null,
    request: {
      id: recorded?.id ?? null,
      line: recorded?.line ?? 0,
      timestamp: recorded?.timestamp === undefined ? null : new Date(recorded.timestamp).toISOString(),
      complete: recorded?.complete ?? false,
    },
    promptIrOf: ir.isRecorded ? 'recorded request' : 'blocks',
    redacted: gate !== undefined,
    promptIr: promptIrToJson(ir.upstream),
    blocks: ir.own.map(ownBlockToJson),
    partitions: partitionsToJson(partitions),
    rendered: renderedToJson(context),
    fingerprint: {
      systemStableHash: fingerprint.systemStableHash,
      systemKnowledgeHash: fingerprint.systemKnowledgeHash,
      turnHashes: fingerprint.turnHashes,
    },
    findings: findings.map(({ block, line, rule, label, start, end, message }) => ({
      position: blocks.indexOf(block),
      line,
      rule,
      label,
      start,
      end,
      message,
    })),
  };
}

function ownBlockToJson({ position, upstreamSpan, ...block }: OwnBlock): JsonValueObject {
  return {
    position,
    ...blockToJson(block),
    ...(upstreamSpan !== undefined && { upstream_span: upstreamSpan }),
  };
}
