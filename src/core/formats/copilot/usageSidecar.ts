import { isObject, parseJson, stringAt, timeAt } from '../../base/json';
import type { TranscriptBuilder } from '../../content/transcriptBuilder';
import type { RecordedUsage } from '../../model/transcript';
import type { LineFormat, SiblingFiles } from '../../reading/format';
import { mostAre } from '../common/mostAre';
import { Thread } from '../common/thread';
import { readUsage } from '../../wire/usage';

/** One model call as the sidecar counts it. */
export interface CountedCall {
  readonly model: string | undefined;
  readonly usage: RecordedUsage;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
}

/**
 * The counts of VS Code for an agent that it runs (agentHostUsageSidecar.ts): one line per call, without any text. Next
 * to the agent's own log, it completes the usage there; alone, it is a list of calls.
 */
export const usageSidecar: LineFormat = {
  kind: 'lines',
  id: 'copilot-usage',
  name: 'usage of an agent in VS Code',
  matches: records => mostAre(records, isCountedCall),
  open(builder) {
    builder.agentName = 'GitHub Copilot';
    const thread = new Thread(builder);
    return {
      push: ({ value, range }) => {
        const usage = readUsage(value, 'camelCase');
        if (!isCountedCall(value) || usage === undefined) {
          builder.leaveOutUnknown(range, 'a line without usage');
          return;
        }
        builder.addProblem('missingRequestContent', range.line);
        const { model, timestamp } = callOf(value, usage);
        thread.open({ line: range.line, timestamp, model, usage });
      },
    };
  },
};

function isCountedCall(value: unknown): boolean {
  return (
    isObject(value) &&
    stringAt(value, 'turnId') !== undefined &&
    timeAt(value, 'ts') !== undefined &&
    !('type' in value)
  );
}

function callOf(value: unknown, usage: RecordedUsage): CountedCall {
  return { model: stringAt(value, 'model'), usage, timestamp: timeAt(value, 'ts') ?? 0 };
}

/** The calls that VS Code counted in the session that is read; empty without a sidecar. */
export async function readSidecar(siblings: SiblingFiles): Promise<readonly CountedCall[]> {
  const bytes = await siblings.usageSidecar?.(siblings.folders[0] ?? '');
  const lines = bytes === undefined ? [] : new TextDecoder().decode(bytes).split('\n');
  return lines.flatMap(line => {
    const value = parseJson(line);
    const usage = readUsage(value, 'camelCase');
    return isCountedCall(value) && usage !== undefined ? [callOf(value, usage)] : [];
  });
}

/**
 * Gives requests without a recorded input the usage that VS Code counted. Calls and requests are in the order of their
 * times. If one list is longer, they are paired by model and output.
 */
export function placeCounted({ requests }: TranscriptBuilder, calls: readonly CountedCall[]): void {
  const left = calls.toSorted((first, second) => first.timestamp - second.timestamp);
  const inOrder = requests
    .map((request, index) => ({ request, index }))
    .sort((first, second) => (first.request.timestamp ?? 0) - (second.request.timestamp ?? 0));
  const areAll = left.length === requests.length;
  for (const { request, index } of inOrder) {
    const { model, usage } = request;
    const found = left.findIndex(
      call =>
        areAll || ((model ?? call.model) === (call.model ?? model) && call.usage.output === usage?.output),
    );
    const [call] = found < 0 ? [] : left.splice(found, 1);
    if (
      call !== undefined &&
      (usage === undefined || usage.input + usage.cacheRead + usage.cacheWrite === 0)
    ) {
      requests[index] = { ...request, usage: call.usage };
    }
  }
}
