import { arrayAt, isArray, member, numberAt, objectAt, stringAt, timeAt } from '../base/json';
import { resultBlocks, schemaBlock, textBlocks, thinkingBlock } from '../content/blockFactory';
import { callBlock, contentBlocks } from '../content/dialects/generic';
import { type Place, below, sourceOf, textOf } from '../content/place';
import type { NewBlock, TranscriptBuilder } from '../content/transcriptBuilder';
import type { DocumentFormat } from '../reading/format';
import { addSubagent } from './common/notes';
import { Thread } from './common/thread';
import { readUsage } from './common/usage';

/**
 * Agent Trajectory Interchange Format (Harbor), v1.2 – v1.8: every step of the agent is a reply to all that stands before
 * it, with the observations of its calls in the same step.
 */
export const atif: DocumentFormat = {
  kind: 'document',
  id: 'atif',
  name: 'ATIF trajectory',
  matches: document =>
    stringAt(document, 'schema_version')?.startsWith('ATIF') === true && isArray(member(document, 'steps')),
  read(record, locate, builder) {
    const agent = objectAt(record.value, 'agent');
    const version = stringAt(agent, 'version');
    builder.agentName = stringAt(agent, 'name') ?? 'ATIF';
    builder.sessionId = stringAt(record.value, 'session_id') ?? stringAt(record.value, 'trajectory_id');
    if (version !== undefined) {
      builder.versions.add(version);
    }
    readTrajectory(record.value, { record: record.range, path: [], locate }, builder, new ThreadCounter());
    return builder.build(this.id);
  },
};

class ThreadCounter {
  private last = -1;

  next(): number {
    this.last += 1;
    return this.last;
  }
}

/** Deepest nesting of subagents that is followed. */
const deepest = 20;

function readTrajectory(
  trajectory: unknown,
  place: Place,
  builder: TranscriptBuilder,
  threads: ThreadCounter,
  depth = 0,
): number {
  const thread = threads.next();
  const timeline = new Thread(builder, thread);
  const agent = objectAt(trajectory, 'agent');
  const tools = arrayAt(agent, 'tool_definitions');
  timeline.add({
    role: 'system',
    blocks: tools.map((tool, index) => schemaBlock(tool, below(place, 'agent', 'tool_definitions', index))),
  });
  let hasSystem = false;
  let usesTools = false;
  const callOfSubagent = new Map<string, string>();
  arrayAt(trajectory, 'steps').forEach((step, index) => {
    const at = below(place, 'steps', index);
    const timestamp = timeAt(step, 'timestamp');
    const facts = timestamp === undefined ? {} : { timestamp };
    const said = contentBlocksOfStep(step, at, timeline);
    switch (stringAt(step, 'source')) {
      case 'system':
        hasSystem = true;
        timeline.add({ role: 'system', blocks: said, ...facts });
        break;
      case 'user': {
        timeline.add({ role: 'user', blocks: said, ...facts });
        if (thread === 0) {
          builder.title ??= said.find(({ kind }) => kind === 'prompt')?.label;
        }
        break;
      }
      case 'agent': {
        const called = arrayAt(step, 'tool_calls').map((call, number) =>
          atifCall(call, below(at, 'tool_calls', number), timeline),
        );
        const reasoning = stringAt(step, 'reasoning_content') ?? '';
        const blocks = [
          ...(reasoning === '' ? [] : [thinkingBlock(textOf(reasoning, below(at, 'reasoning_content')), at)]),
          ...said,
          ...called,
        ];
        const complete = hasSystem && (tools.length > 0 || !usesTools);
        usesTools ||= called.length > 0;
        addAgentStep({ step, at, blocks, complete, agent, timeline, facts });
        break;
      }
      case undefined:
      default:
        builder.addProblem('unknownRecord', sourceOf(at).line);
        timeline.add({ role: 'user', blocks: said, ...facts });
    }
    addObservations(step, at, timeline, callOfSubagent);
  });
  arrayAt(trajectory, 'subagent_trajectories').forEach((child, index) => {
    const at = below(place, 'subagent_trajectories', index);
    if (depth >= deepest) {
      builder.leaveOut('subagent nested too deeply', sourceOf(at));
      return;
    }
    const id = stringAt(child, 'trajectory_id') ?? stringAt(child, 'session_id') ?? `subagent ${index + 1}`;
    const childThread = readTrajectory(child, at, builder, threads, depth + 1);
    addSubagent(builder, {
      id,
      thread: childThread,
      callId: callOfSubagent.get(id),
      description: stringAt(objectAt(child, 'agent'), 'name'),
    });
  });
  return thread;
}

/** `message` is a string or a list of parts. */
function contentBlocksOfStep(step: unknown, at: Place, { calls }: Thread): readonly NewBlock[] {
  const source = stringAt(step, 'source');
  const role = source === 'system' ? 'system' : source === 'agent' ? 'assistant' : 'user';
  const blocks = contentBlocks(member(step, 'message'), below(at, 'message'), role, calls);
  const isSilent =
    arrayAt(step, 'tool_calls').length > 0 || stringAt(step, 'reasoning_content') !== undefined;
  return blocks.length > 0 || isSilent ? blocks : textBlocks(textOf(undefined, at), at, role);
}

function atifCall(call: unknown, at: Place, { calls }: Thread): NewBlock {
  const name = stringAt(call, 'function_name') ?? stringAt(call, 'name') ?? 'unknown';
  const id = stringAt(call, 'tool_call_id');
  return callBlock({ name, id, arguments: member(call, 'arguments') }, at, calls);
}

interface AgentStep {
  readonly step: unknown;
  readonly at: Place;
  readonly blocks: readonly NewBlock[];
  readonly complete: boolean;
  readonly agent: unknown;
  readonly timeline: Thread;
  readonly facts: { readonly timestamp?: number };
}

function addAgentStep({ step, at, blocks, complete, agent, timeline, facts }: AgentStep): void {
  const message = { role: 'assistant', blocks, ...facts } as const;
  // Copied from the trajectory that this one continues, or put there without a call to the model.
  if (member(step, 'is_copied_context') === true || numberAt(step, 'llm_call_count') === 0) {
    timeline.add(message);
    return;
  }
  const model = stringAt(step, 'model_name') ?? stringAt(agent, 'model_name');
  const usage = readUsage(objectAt(step, 'metrics'), 'atif');
  timeline.addReply(message, {
    ...facts,
    complete,
    line: sourceOf(at).line,
    model,
    usage,
  });
}

function addObservations(
  step: unknown,
  at: Place,
  timeline: Thread,
  callOfSubagent: Map<string, string>,
): void {
  arrayAt(objectAt(step, 'observation'), 'results').forEach((result, index) => {
    const callId = stringAt(result, 'source_call_id');
    const call = callId === undefined ? undefined : timeline.calls.get(callId);
    const place = below(at, 'observation', 'results', index, 'content');
    for (const reference of arrayAt(result, 'subagent_trajectory_ref')) {
      const id = stringAt(reference, 'trajectory_id') ?? stringAt(reference, 'session_id');
      if (id !== undefined && callId !== undefined) {
        callOfSubagent.set(id, callId);
      }
    }
    timeline.add({ role: 'tool', blocks: resultBlocks(member(result, 'content'), place, { callId, call }) });
  });
}
