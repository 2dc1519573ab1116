import { isJsonValue, isRecord, type JsonValue, type JsonValueObject } from '../../src/core/base/jsonValue';
import type { AnnotatedMessage, AnnotatedRequest } from '../../src/core/context/annotatedRequest';
import { buildPromptIr } from '../../src/core/context/promptIrBuilder';
import { annotatedFromJson } from '../../src/core/context/providers/annotatedFromJson';
import { type PromptIR, promptIrToJson } from '../../src/core/model/promptIr';
import { analyzeObservations, governorStabilityToJson } from '../../src/core/stability/governorStability';
import { learningKey } from '../../src/core/stability/learningKey';
import { promptIrFromJson } from '../fixtures/promptIrFromJson';
import { compareMembers } from './goldenReport';

// Cases of NeMo Relay: a request in its own form with the Prompt IR of it, and observations with what it learned from them.

const identity = { irId: '00000000-0000-4000-8000-000000000000', createdAt: '1970-01-01T00:00:00Z' };

export function isPromptIrCase(value: JsonValueObject): boolean {
  return isRecord(value['annotated']) && isRecord(value['ir']);
}

export function isStabilityCase(value: JsonValueObject): boolean {
  return Array.isArray(value['ir']) && isRecord(value['st']);
}

/** What differs between a case's Prompt IR and the one that is built of its request, byte for byte but for who and when. */
export function comparePromptIr({ annotated, ir }: JsonValueObject): readonly string[] {
  const { ir_id: _id, created_at: _time, ...expected } = objectOf(ir);
  const built = promptIrToJson(
    buildPromptIr(annotatedFromJson(objectOf(annotated)), { ...identity, withSourceHash: true }),
  );
  const { ir_id: _ownId, created_at: _ownTime, ...actual } = built;
  return compareMembers(expected, actual);
}

/** What differs between what upstream learned from a case's observations and what this program does. */
export function compareStability({ model, ir, st }: JsonValueObject): readonly string[] {
  const observations: PromptIR[] = [];
  for (const value of Array.isArray(ir) ? ir : []) {
    const read = promptIrFromJson(value);
    if (!read.ok) {
      return [read.problem];
    }
    observations.push(read.value);
  }
  const expected = objectOf(st);
  const differences = requestsOf(observations[0]).map(request => {
    const key = learningKey(agent, typeof model === 'string' ? model : undefined, request);
    return compareMembers(expected, governorStabilityToJson(analyzeObservations(observations, key)));
  });
  return differences.find(found => found.length === 0) ?? differences[0] ?? [];
}

/** The name under which the cases were learned; it is part of the key that a fingerprint is bound to. */
const agent = 'a0';

/**
 * The requests that an observation may have come from, as far as the learning key goes: system texts, tools and response
 * format. A Prompt IR has lost white space at the end of a system text; the cases' texts end with one space or none.
 */
function requestsOf(ir: PromptIR | undefined): readonly AnnotatedRequest[] {
  return ['', ' '].map(end => ({
    messages: (ir?.blocks ?? []).flatMap((block): readonly AnnotatedMessage[] => {
      const { role, content, contentType, spanId, provenance } = block;
      switch (role) {
        case 'system':
          return contentType !== 'text' || spanId.endsWith('-instructions')
            ? []
            : [
                {
                  role: provenance === 'developer' ? provenance : role,
                  content: `${content}${end}`,
                },
              ];
        case 'user':
        case 'assistant':
          return [{ role, content }];
        case 'tool':
          return [{ role, content, toolCallId: '' }];
      }
    }),
    ...instructionsOf(ir, end),
    ...(ir?.toolSchemaHashes && {
      tools: ir.blocks
        .filter(({ contentType }) => contentType === 'tool_schema')
        .map(({ content }) => ({ name: '', definition: objectOf(parsed(content)) })),
    }),
    ...responseFormatOf(ir),
  }));
}

function instructionsOf(ir: PromptIR | undefined, end: string) {
  const block = ir?.blocks.find(({ spanId }) => spanId === 'system-0-instructions');
  return block === undefined ? {} : { instructions: `${block.content}${end}` };
}

function responseFormatOf(ir: PromptIR | undefined) {
  const block = ir?.blocks.find(({ contentType }) => contentType === 'structured_output');
  return block === undefined ? {} : { responseFormat: parsed(block.content) };
}

function parsed(json: string): JsonValue {
  const value: unknown = JSON.parse(json);
  return isJsonValue(value) ? value : null;
}

function objectOf(value: JsonValue | undefined): JsonValueObject {
  if (!isRecord(value) || !isJsonValue(value)) {
    throw new SyntaxError('The case holds something else in the place of an object.');
  }
  return value;
}
