import { arrayAt, isArray, isObject, member, objectAt, stringAt, timeAt } from '../base/json';
import { resultBlocks, textBlocksAt, thinkingBlock, toolCallBlock } from '../content/blockFactory';
import { compactionSummary } from '../content/classification';
import { answeredCall } from '../content/knownCalls';
import { below, eachAt, flatMapAt, type Place, sourceOf, textAt } from '../content/place';
import type { TranscriptBuilder } from '../content/transcriptBuilder';
import type { DocumentFormat } from '../reading/format';
import { Thread } from './common/thread';
import { readUsage } from '../wire/usage';

/**
 * A trajectory of Antigravity as JSON, `<id>.trajectory.json`. Antigravity's own files are encrypted or undocumented;
 * its server returns this form. Tool results are separate steps, in the form that the interface shows.
 */
export const antigravity: DocumentFormat = {
  kind: 'document',
  id: 'antigravity',
  name: 'Antigravity trajectory',
  matches: document =>
    isArray(member(document, 'steps')) &&
    arrayAt(document, 'steps').some(step => {
      const kind = stringAt(step, 'type') ?? '';
      return kind === userInput || kind === plannerResponse || resultKeys.has(kind);
    }),
  read({ value, range }, locate, builder) {
    builder.agentName = 'Antigravity';
    builder.sessionId = stringAt(value, 'cascadeId') ?? stringAt(value, 'trajectoryId');
    const facts = new Map<number, unknown>();
    for (const generated of arrayAt(value, 'generatorMetadata')) {
      for (const index of arrayAt(generated, 'stepIndices')) {
        if (typeof index === 'number') {
          facts.set(index, member(generated, 'chatModel'));
        }
      }
    }
    const reader = new StepReader(builder);
    eachAt(value, { record: range, locate, path: [] }, 'steps', (step, place, index) =>
      reader.read(step, place, facts.get(index)),
    );
    builder.title = builder.firstPrompt;
  },
};

const userInput = 'CORTEX_STEP_TYPE_USER_INPUT';
const plannerResponse = 'CORTEX_STEP_TYPE_PLANNER_RESPONSE';
const checkpoint = 'CORTEX_STEP_TYPE_CHECKPOINT';

/** The paths to a tool's output, by kind of step. */
const resultKeys: ReadonlyMap<string, readonly string[]> = new Map([
  ['CORTEX_STEP_TYPE_RUN_COMMAND', ['runCommand', 'combinedOutput']],
  ['CORTEX_STEP_TYPE_VIEW_FILE', ['viewFile', 'content']],
  ['CORTEX_STEP_TYPE_CODE_ACTION', ['codeAction', 'actionResult']],
  ['CORTEX_STEP_TYPE_GREP_SEARCH', ['grepSearch']],
  ['CORTEX_STEP_TYPE_LIST_DIRECTORY', ['listDirectory']],
  ['CORTEX_STEP_TYPE_ERROR_MESSAGE', ['errorMessage', 'error']],
]);

class StepReader {
  private readonly thread: Thread;
  /** Calls without a result so far. Results come in the order of their calls. */
  private readonly waiting: string[] = [];

  constructor(private readonly builder: TranscriptBuilder) {
    this.thread = new Thread(builder);
  }

  /** @param facts the recorded facts about the model call that made the step */
  read(step: unknown, place: Place, facts: unknown): void {
    const kind = stringAt(step, 'type') ?? '';
    const timestamp = timeAt(objectAt(step, 'metadata'), 'createdAt');
    const { line } = sourceOf(place);
    const keys = resultKeys.get(kind);
    if (kind === userInput) {
      const blocks = textBlocksAt(
        member(step, 'userInput'),
        below(place, 'userInput'),
        'userResponse',
        'user',
      );
      this.thread.add({ role: 'user', blocks, timestamp });
    } else if (kind === plannerResponse) {
      const model = stringAt(facts, 'model');
      const usage = readUsage(objectAt(facts, 'usage'), 'antigravity');
      this.readReply(member(step, 'plannerResponse'), below(place, 'plannerResponse'), {
        line,
        timestamp,
        model,
        usage,
      });
    } else if (kind === checkpoint) {
      const at = below(place, 'checkpoint');
      const blocks = textBlocksAt(
        member(step, 'checkpoint'),
        at,
        'sessionSummary',
        'user',
        compactionSummary,
      );
      this.thread.compactTo({ role: 'user', blocks, timestamp }, line);
    } else if (keys !== undefined) {
      const found = keys.reduce<unknown>((value, key) => member(value, key), step);
      const output = isObject(found) && typeof found['full'] === 'string' ? 'full' : undefined;
      const at = below(place, ...keys, ...(output === undefined ? [] : [output]));
      const callId = this.waiting.shift();
      const result = {
        callId,
        call: answeredCall(this.thread.calls, callId),
        isError: kind === 'CORTEX_STEP_TYPE_ERROR_MESSAGE',
      };
      const blocks = resultBlocks(output === undefined ? (found ?? '') : member(found, output), at, result);
      this.thread.add({ role: 'tool', blocks, timestamp });
    } else {
      this.builder.leaveOut('a step of the interface', sourceOf(place));
    }
  }

  private readReply(reply: unknown, place: Place, facts: Parameters<Thread['addReply']>[1]): void {
    const calls = flatMapAt(reply, place, 'toolCalls', (call, at) => {
      const callId = stringAt(call, 'id');
      this.waiting.push(...(callId === undefined ? [] : [callId]));
      const input = member(call, 'argumentsJson');
      const parts = { toolName: stringAt(call, 'name') ?? 'unknown', callId, input, callPlace: at };
      return toolCallBlock({ ...parts, place: below(at, 'argumentsJson') }, this.thread.calls);
    });
    const thought = textAt(reply, place, 'thinking');
    const blocks = [
      ...(thought.content === '' ? [] : [thinkingBlock(thought, place)]),
      ...textBlocksAt(reply, place, 'response', 'assistant'),
      ...calls,
    ];
    this.thread.addReply({ role: 'assistant', blocks, timestamp: facts.timestamp }, facts);
  }
}
