import { createHash } from 'node:crypto';
import { isJsonValue, isRecord, type JsonValue, type JsonValueObject } from '../../src/core/base/jsonValue';
import type {
  AnnotatedContent,
  AnnotatedMessage,
  AnnotatedRequest,
} from '../../src/core/context/annotatedRequest';
import { buildPromptIr } from '../../src/core/context/promptIrBuilder';
import { annotatedFromJson } from '../../src/core/wire/annotating/annotatedFromJson';
import { type PromptBlock, type PromptIR, promptIrToJson } from '../../src/core/model/promptIr';
import {
  analyzeObservations,
  governorStabilityToJson,
  livePrefixFingerprint,
} from '../../src/core/stability/governorStability';
import { learningKey } from '../../src/core/stability/learningKey';
import { promptIrFromJson } from '../fixtures/promptIrFromJson';
import { compareMembers } from './goldenReport';

// Cases of NeMo Relay: a request in its own form with its Prompt IR, and observations with the knowledge learned from
// them.

const identity = { irId: '00000000-0000-4000-8000-000000000000', createdAt: '1970-01-01T00:00:00Z' };

export function isPromptIrCase(value: JsonValueObject): boolean {
  return isRecord(value['annotated']) && isRecord(value['ir']);
}

export function isStabilityCase(value: JsonValueObject): boolean {
  return Array.isArray(value['ir']) && isRecord(value['st']);
}

/**
 * The differences between a case's Prompt IR and the one built from its request, byte for byte except identity and
 * time.
 */
export function comparePromptIr({ annotated, ir }: JsonValueObject): readonly string[] {
  const { ir_id: _id, created_at: _time, ...expected } = objectOf(ir);
  const built = promptIrToJson(
    buildPromptIr(annotatedFromJson(objectOf(annotated)), { ...identity, withSourceHash: true }),
  );
  const { ir_id: _ownId, created_at: _ownTime, ...actual } = built;
  return compareMembers(expected, actual);
}

/**
 * The differences between upstream's knowledge and this program's. `isPartial` if one of the members could not be
 * compared.
 */
export interface StabilityComparison {
  readonly differences: readonly string[];
  readonly isPartial: boolean;
}

/**
 * Compares upstream's knowledge from a case's observations with this program's. A fingerprint is bound to the learning
 * key, which contains agent and system texts as sent; an observation has lost their white space. So likely texts are
 * tried. If one of them gives the same fingerprint, it agrees; otherwise the fingerprint is not compared, which does
 * not count as agreement.
 */
export function compareStability(line: JsonValueObject): StabilityComparison {
  const { model, agent, ir, st } = line;
  const observations: PromptIR[] = [];
  for (const value of Array.isArray(ir) ? ir : []) {
    const read = promptIrFromJson(value);
    if (!read.ok) {
      return { differences: [read.problem], isPartial: false };
    }
    observations.push(read.value);
  }
  const expected = objectOf(st);
  const wanted = expected['stable_prefix_fingerprint'];
  const length = Number(expected['stable_prefix_length']);
  const [newest] = observations;
  const isDigest = typeof wanted === 'string' && /^sha256:[0-9a-f]{64}$/u.test(wanted);
  // Observations of one request have the same fingerprint.
  const distinct = [
    ...new Map(observations.map(found => [found.sourceRequestHash ?? found.irId, found])).values(),
  ];
  let firstKey: string | undefined;
  for (const request of likelyRequests(newest)) {
    const key = learningKey(
      typeof agent === 'string' ? agent : usualAgent,
      typeof model === 'string' ? model : undefined,
      request,
      hashText,
    );
    firstKey ??= key;
    if (!isDigest || distinct.some(found => livePrefixFingerprint(found, length, key, hashText) === wanted)) {
      return { differences: comparedWith(expected, observations, key), isPartial: false };
    }
  }
  const differences = comparedWith(expected, observations, firstKey ?? '');
  const others = differences.filter(difference => !difference.startsWith('stable_prefix_fingerprint:'));
  return { differences: others, isPartial: true };
}

function comparedWith(
  expected: JsonValueObject,
  observations: readonly PromptIR[],
  key: string,
): readonly string[] {
  return compareMembers(expected, governorStabilityToJson(analyzeObservations(observations, key, hashText)));
}

const hashText = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The agent name of cases that do not give one. */
const usualAgent = 'a0';

/** White space that a text may have had around it, the most likely first. */
const endings = ['', ' ', '\n', '  ', '\n\n', '\t', '\r\n', '\u00a0'] as const;
const beginnings = ['', ' ', '\n'] as const;
const mostTries = 5000;

/** The possible content of a text in the request, by the number of the try. */
function likelyContents(text: string): readonly AnnotatedContent[] {
  const texts = beginnings.flatMap(beginning => endings.map(ending => `${beginning}${text}${ending}`));
  const asParts = (parts: readonly string[]) => parts.map(part => ({ type: 'text', text: part }) as const);
  return [...texts, ...texts.map(whole => asParts([whole])), asParts(text.split('\n'))];
}

/** Possible requests behind an observation, as far as the learning key is concerned. */
function* likelyRequests(ir: PromptIR | undefined): Generator<AnnotatedRequest> {
  const blocks = ir?.blocks ?? [];
  const systems = blocks.filter(isSystemText);
  // Without any of these, the key contains the first message.
  const unsure = systems.length > 0 || hasScaffold(ir) ? systems : blocks.slice(0, 1);
  const choices = unsure.map(({ content }) => likelyContents(content));
  const all = choices.reduce((product, { length }) => product * length, 1);
  const varies = all <= mostTries;
  const tries = varies ? all : (choices[0]?.length ?? 1);
  for (let number = 0; number < tries; number += 1) {
    let rest = number;
    const contents = new Map(
      unsure.map((block, index) => {
        const list = choices[index] ?? [];
        const content = list[rest % list.length] ?? block.content;
        rest = varies ? Math.floor(rest / list.length) : rest;
        return [block, content];
      }),
    );
    yield requestOf(ir, contents);
  }
}

function hasScaffold(ir: PromptIR | undefined): boolean {
  return (ir?.toolSchemaHashes ?? []).length > 0 || ir?.structuredOutputSchemaId !== undefined;
}

function isSystemText({ role, contentType }: PromptBlock): boolean {
  return role === 'system' && contentType === 'text';
}

const instructionsSpan = 'system-0-instructions';

function requestOf(
  ir: PromptIR | undefined,
  contents: ReadonlyMap<PromptBlock, AnnotatedContent>,
): AnnotatedRequest {
  const blocks = ir?.blocks ?? [];
  const instructions = blocks.find(({ spanId }) => spanId === instructionsSpan);
  const responseFormat = blocks.find(({ contentType }) => contentType === 'structured_output');
  return {
    messages: blocks.flatMap((block): readonly AnnotatedMessage[] => {
      const { role, contentType, provenance } = block;
      const content = contents.get(block) ?? block.content;
      switch (role) {
        case 'system':
          return contentType !== 'text' || block === instructions
            ? []
            : [{ role: provenance === 'developer' ? provenance : role, content }];
        case 'user':
        case 'assistant':
          return [{ role, content }];
        case 'tool':
          return [{ role, content, toolCallId: '' }];
      }
    }),
    ...(instructions && { instructions: contents.get(instructions) ?? instructions.content }),
    ...(ir?.toolSchemaHashes && {
      tools: blocks
        .filter(({ contentType }) => contentType === 'tool_schema')
        .map(({ content }) => ({ name: '', definition: objectOf(parsed(content)) })),
    }),
    ...(responseFormat && { responseFormat: parsed(responseFormat.content) }),
  };
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
