import * as v from 'valibot';
import { isJsonValue, isRecord, type JsonValue, type JsonValueObject } from '../../src/core/base/jsonValue';
import { charTokenEngine } from '../../src/core/context/charTokenEngine';
import { renderedToJson } from '../../src/core/context/contextJson';
import { parseExactJson } from '../../src/core/context/exactJson';
import { commonTurnPrefix, extendsFingerprint, prefixFingerprint } from '../../src/core/context/fingerprint';
import { renderContext } from '../../src/core/context/render';
import { valueJson } from '../../src/core/context/serdeJson';
import { formatCompact } from '../../src/core/context/taskStateText';
import { totalTokens } from '../../src/core/context/totalTokens';
import {
  createContextPartitions,
  type Message,
  type Partition,
} from '../../src/core/model/contextPartitions';
import type { PrefixFingerprint } from '../../src/core/model/renderedContext';
import { describeDifference, type GoldenReport } from './goldenReport';
import { count, messageSchema, taskStateSchema } from './readContext';
import { comparePromptIr, compareStability, isPromptIrCase, isStabilityCase } from './relayCases';

const messages = v.array(messageSchema);

const caseSchema = v.object({
  id: v.string(),
  input: v.object({
    budget: count,
    preserveRecentMsgs: count,
    frozenHistoryLen: v.optional(count, 0),
    collapseNarration: v.optional(v.boolean(), false),
    system: messages,
    knowledge: messages,
    history: messages,
    signals: v.array(v.string()),
    taskState: taskStateSchema,
  }),
  expected: v.custom<JsonValueObject>(value => isRecord(value) && isJsonValue(value), 'not an object'),
});
type GoldenCase = v.InferOutput<typeof caseSchema>;

/**
 * Checks the cases of a JSONL text, one per line. The members of a line show its kind: a rendered context of upstream,
 * a Prompt IR, or a stability. For a rendered context, "the previous case" is the line before; after an unreadable
 * line, there is no comparison with it.
 */
export function checkGolden(text: string): GoldenReport {
  let passed = 0;
  let failed = 0;
  let partial = 0;
  const differences: string[] = [];
  let previous: PrefixFingerprint | null | undefined = null;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') {
      continue;
    }
    const { name, found, fingerprint, isPartial = false } = checkCase(line, previous);
    previous = fingerprint;
    differences.push(...found.map(difference => `${name ?? `line ${index + 1}`}: ${difference}`));
    if (found.length > 0) {
      failed += 1;
    } else if (isPartial) {
      partial += 1;
    } else {
      passed += 1;
    }
  }
  return { passed, failed, partial, differences };
}

interface CheckedCase {
  readonly name: string | undefined;
  readonly found: readonly string[];
  /** Of a rendered context. */
  readonly fingerprint: PrefixFingerprint | undefined;
  readonly isPartial?: boolean;
}

function checkCase(line: string, previous: PrefixFingerprint | null | undefined): CheckedCase {
  let json: unknown;
  try {
    json = JSON.parse(line);
    if (isRecord(json) && isJsonValue(json) && isPromptIrCase(json)) {
      return { name: nameOf(json), found: comparePromptIr(json), fingerprint: undefined };
    }
    if (isRecord(json) && isJsonValue(json) && isStabilityCase(json)) {
      const { differences, isPartial } = compareStability(json);
      return { name: nameOf(json), found: differences, fingerprint: undefined, isPartial };
    }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { name: nameOf(json), found: [problem], fingerprint: undefined };
  }
  const read = readCase(line);
  if (!read.ok) {
    return { name: read.id, found: [read.problem], fingerprint: undefined };
  }
  const { actual, fingerprint } = evaluate(read.value, previous);
  return { name: read.value.id, found: compare(read.value.expected, actual), fingerprint };
}

function nameOf(value: unknown): string | undefined {
  const name = isRecord(value) ? value['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

type ReadCase =
  | { readonly ok: true; readonly value: GoldenCase }
  | { readonly ok: false; readonly id?: string; readonly problem: string };

function readCase(line: string): ReadCase {
  let json: JsonValue;
  try {
    json = parseExactJson(line);
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
  const parsed = v.safeParse(caseSchema, json);
  if (parsed.success) {
    return { ok: true, value: parsed.output };
  }
  const issue = parsed.issues[0];
  return {
    ok: false,
    ...(isRecord(json) && typeof json['id'] === 'string' && { id: json['id'] }),
    problem: `${v.getDotPath(issue) ?? 'case'}: ${issue.message}`,
  };
}

/** `previous` is null for the first case, undefined if the previous case could not be read. */
function evaluate(
  { input }: GoldenCase,
  previous: PrefixFingerprint | null | undefined,
): { actual: JsonValueObject; fingerprint: PrefixFingerprint } {
  const partitions = createContextPartitions(input.taskState, input.signals);
  fill(partitions.system, input.system);
  fill(partitions.knowledge, input.knowledge);
  fill(partitions.history, input.history);
  const rendered = renderContext(partitions, { ...input, engine: charTokenEngine });
  const fingerprint = prefixFingerprint(rendered);
  return {
    fingerprint,
    actual: {
      totalTokens: totalTokens(partitions, charTokenEngine),
      compact: formatCompact(input.taskState),
      rendered: renderedToJson(rendered),
      fingerprint: { ...fingerprint },
      ...(previous !== undefined && {
        extendsPrevious: previous && extendsFingerprint(fingerprint, previous),
        commonTurnPrefixWithPrevious: previous && commonTurnPrefix(fingerprint, previous),
      }),
    },
  };
}

function fill(partition: Partition, content: readonly Message[]): void {
  for (const message of content) {
    partition.push(message, message.tokenCount ?? charTokenEngine.countMessage(message));
  }
}

function compare(expected: JsonValueObject, actual: JsonValueObject): string[] {
  return Object.entries(actual).flatMap(([name, value]) => {
    const expectedValue = expected[name];
    const expectedText = expectedValue === undefined ? 'nothing' : valueJson(expectedValue);
    const actualText = valueJson(value);
    return expectedText === actualText ? [] : [`${name}: ${describeDifference(expectedText, actualText)}`];
  });
}
