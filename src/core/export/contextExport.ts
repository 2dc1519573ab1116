import type { JsonValueObject } from '../base/jsonValue';
import { partitionsToJson, renderedToJson } from '../context/contextJson';
import { promptIrToJson } from '../model/promptIr';
import { renderRequest, requestPromptIr } from '../questions/renderedRequest';
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
 * What the model had at a request, as one JSON object: `promptIr`, `partitions` and `rendered` in the snake_case of the
 * systems that they come from, the `fingerprint` of the rendering (16 hex digits each), and the `findings` by rule and
 * place (UTF-16 offsets into the block's text). `version` increases when the meaning of a member changes. Hashes are of
 * the texts before redaction.
 * @param gate what the result will pass, since only texts that are cut have passed it here; absent if secrets are kept
 */
export async function exportContext(
  { session, request, scanner, identity }: ContextExportInput,
  gate: Gate | undefined,
): Promise<JsonValueObject> {
  const { transcript } = session;
  const { partitions, context, fingerprint } = await renderRequest(session, request, gate);
  const recorded = transcript.requests[request];
  const blocks = (transcript.contexts[recorded?.context ?? 0] ?? []).slice(0, recorded?.length);
  const findings = await sensitivityFindings(session, [...new Set(blocks)], scanner);
  return {
    schema: 'context-inspector/context',
    version: 1,
    format: transcript.format,
    agent: { name: transcript.agent.name, versions: transcript.agent.versions },
    model: recorded?.model ?? null,
    request: {
      id: recorded?.id ?? null,
      line: recorded?.line ?? 0,
      timestamp: recorded?.timestamp === undefined ? null : new Date(recorded.timestamp).toISOString(),
      complete: recorded?.complete ?? false,
    },
    redacted: gate !== undefined,
    promptIr: promptIrToJson(await requestPromptIr(session, request, identity)),
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
