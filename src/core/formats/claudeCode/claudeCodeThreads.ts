import { arrayAt, member, objectAt, optionalCountAt, stringAt } from '../../base/json';
import type { KnownCall } from '../../content/knownCalls';
import type { TranscriptBuilder } from '../../content/transcriptBuilder';
import { addSubagent } from '../common/notes';
import { createThread, type Thread } from './claudeCodeThread';

/** The threads of a file: its main conversation, and the subagents that old versions wrote into the same file. */
export class ClaudeCodeThreads {
  readonly all: Thread[] = [];
  private readonly byAgent = new Map<string, Thread>();
  private readonly byUuid = new Map<string, Thread>();
  private rootAgent: string | undefined;

  constructor(
    private readonly builder: TranscriptBuilder,
    private readonly calls: ReadonlyMap<string, KnownCall>,
  ) {}

  /** The thread that a line belongs to. @param isFirst no line with an id came before it */
  of(line: unknown, isFirst: boolean): Thread {
    const main = this.all[0] ?? this.newThread();
    if (member(line, 'isSidechain') !== true) {
      return main;
    }
    const agentId = stringAt(line, 'agentId');
    const uuid = stringAt(line, 'uuid');
    if (uuid !== undefined && isFirst) {
      // A file that begins with a subagent's line is the subagent's own file.
      this.rootAgent = agentId;
      this.byUuid.set(uuid, main);
    }
    if (agentId !== undefined) {
      return agentId === this.rootAgent ? main : (this.byAgent.get(agentId) ?? this.newSubagent(agentId));
    }
    const thread =
      this.byUuid.get(uuid ?? '') ??
      this.byUuid.get(stringAt(line, 'parentUuid') ?? '') ??
      this.newSubagent(`sidechain ${this.all.length}`);
    if (uuid !== undefined) {
      this.byUuid.set(uuid, thread);
    }
    return thread;
  }

  /** Reads the facts about a running subagent from a progress line. */
  readProgress(line: unknown): void {
    const agentId = stringAt(objectAt(line, 'data'), 'agentId');
    if (agentId !== undefined) {
      this.add(agentId, stringAt(line, 'parentToolUseID'), undefined);
    }
  }

  /** Reads the facts about a subagent from the result of its call. */
  readResult(line: unknown, message: unknown): void {
    const result = objectAt(line, 'toolUseResult');
    const agentId = stringAt(result, 'agentId');
    if (agentId !== undefined) {
      const callId = arrayAt(message, 'content')
        .map(item => stringAt(item, 'tool_use_id'))
        .find(id => id !== undefined);
      this.add(agentId, callId, optionalCountAt(result, 'totalTokens'));
    }
  }

  private add(id: string, callId: string | undefined, totalTokens: number | undefined): void {
    const call = callId ?? this.builder.subagents.get(id)?.callId;
    const description = call === undefined ? undefined : this.calls.get(call)?.object;
    const thread = this.byAgent.get(id)?.number;
    addSubagent(this.builder, { id, thread, callId, description, totalTokens });
  }

  private newSubagent(id: string): Thread {
    const thread = this.newThread();
    this.byAgent.set(id, thread);
    this.add(id, undefined, undefined);
    return thread;
  }

  private newThread(): Thread {
    const thread = createThread(this.all.length, this.builder.startContext());
    this.all.push(thread);
    return thread;
  }
}
