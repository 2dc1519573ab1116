import { arrayAt, isArray, member, numberAt, objectAt, stringAt, timeAt } from '../base/json';
import { resultBlocks, schemaBlocks, thinkingBlock } from '../content/blockFactory';
import { callBlocks, contentBlocks, messageOf, type ReadMessage } from '../wire/generic/blocks';
import { answeredCall, type KnownCalls } from '../content/knownCalls';
import { below, eachAt, type Place, sourceOf, textAt } from '../content/place';
import type { TranscriptBuilder } from '../content/transcriptBuilder';
import type { DocumentFormat } from '../reading/format';
import { addSubagent } from './common/notes';
import { Thread } from './common/thread';
import { readUsage } from '../wire/usage';

/**
 * Agent Trajectory Interchange Format (Harbor), v1.2 – v1.8: every step of the agent is a reply to all steps before it
 * and holds the observations of its own calls.
 */
export const atif: DocumentFormat = {
  kind: 'document',
  id: 'atif',
  name: 'ATIF trajectory',
  matches: document =>
    stringAt(document, 'schema_version')?.startsWith('ATIF') === true && isArray(member(document, 'steps')),
  read({ value, range }, locate, builder) {
    const agent = objectAt(value, 'agent');
    builder.agentName = stringAt(agent, 'name') ?? 'ATIF';
    builder.sessionId = stringAt(value, 'session_id') ?? stringAt(value, 'trajectory_id');
    builder.addVersion(stringAt(agent, 'version'));
    new TrajectoryReader(builder).read(value, { record: range, path: [], locate });
  },
};

/** The depth down to which nested subagents are read. */
const deepest = 20;

class TrajectoryReader {
  private threads = 0;

  constructor(private readonly builder: TranscriptBuilder) {}

  /** Reads a trajectory and those of its subagents, and returns its thread. */
  read(trajectory: unknown, place: Place, depth = 0): number {
    const timeline = new Thread(this.builder, this.threads);
    this.threads += 1;
    const agent = objectAt(trajectory, 'agent');
    const tools = schemaBlocks(member(agent, 'tool_definitions'), below(place, 'agent', 'tool_definitions'));
    timeline.add({ role: 'system', blocks: tools });
    let hasSystem = false;
    let usesTools = false;
    const callOfSubagent = new Map<string, string>();
    eachAt(trajectory, place, 'steps', (step, at) => {
      const message = readStep(step, at, timeline.calls);
      const { role, blocks, timestamp } = message;
      const { line } = sourceOf(at);
      if (!['system', 'user', 'agent'].includes(stringAt(step, 'source') ?? '')) {
        this.builder.addProblem('unknownRecord', line);
      }
      if (role !== 'assistant' || isCopied(step)) {
        timeline.add(message);
      } else {
        timeline.addReply(message, {
          complete: hasSystem && (tools.length > 0 || !usesTools),
          line,
          model: stringAt(step, 'model_name') ?? stringAt(agent, 'model_name'),
          usage: readUsage(objectAt(step, 'metrics'), 'atif'),
          timestamp,
        });
      }
      hasSystem ||= role === 'system';
      usesTools ||= blocks.some(({ kind }) => kind === 'toolCall');
      addObservations(step, at, timeline, callOfSubagent);
    });
    if (timeline.thread === 0) {
      this.builder.title ??= this.builder.promptAmong(timeline.blocks);
    }
    eachAt(trajectory, place, 'subagent_trajectories', (child, at, index) => {
      if (depth >= deepest) {
        this.builder.leaveOut('subagent nested too deeply', sourceOf(at));
        return;
      }
      const id = stringAt(child, 'trajectory_id') ?? stringAt(child, 'session_id') ?? `subagent ${index + 1}`;
      addSubagent(this.builder, {
        id,
        thread: this.read(child, at, depth + 1),
        callId: callOfSubagent.get(id),
        description: stringAt(objectAt(child, 'agent'), 'name'),
      });
    });
    return timeline.thread;
  }
}

function readStep(step: unknown, at: Place, calls: KnownCalls): ReadMessage {
  const source = stringAt(step, 'source');
  const role = source === 'system' ? 'system' : source === 'agent' ? 'assistant' : 'user';
  const reasoning = textAt(step, at, 'reasoning_content');
  const blocks = [
    ...(reasoning.content === '' ? [] : [thinkingBlock(reasoning, at)]),
    ...contentBlocks(member(step, 'message'), below(at, 'message'), role, calls),
    ...callBlocks(member(step, 'tool_calls'), below(at, 'tool_calls'), calls),
  ];
  return { ...messageOf(role, blocks, at), timestamp: timeAt(step, 'timestamp') };
}

/** True if a step was copied from the trajectory that this one continues, or was added without a model call. */
function isCopied(step: unknown): boolean {
  return member(step, 'is_copied_context') === true || numberAt(step, 'llm_call_count') === 0;
}

function addObservations(
  step: unknown,
  at: Place,
  timeline: Thread,
  callOfSubagent: Map<string, string>,
): void {
  eachAt(objectAt(step, 'observation'), below(at, 'observation'), 'results', (result, place) => {
    const callId = stringAt(result, 'source_call_id');
    const call = answeredCall(timeline.calls, callId);
    for (const reference of arrayAt(result, 'subagent_trajectory_ref')) {
      const id = stringAt(reference, 'trajectory_id') ?? stringAt(reference, 'session_id');
      if (id !== undefined && callId !== undefined) {
        callOfSubagent.set(id, callId);
      }
    }
    const blocks = resultBlocks(member(result, 'content'), below(place, 'content'), { callId, call });
    timeline.add({ role: 'tool', blocks });
  });
}
