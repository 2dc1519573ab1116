import type { SessionColumns, SessionSummary } from '../model/columns';
import { sources } from '../model/source';
import type { Groups } from './groups';

type Agent = SessionSummary['subagents'][number];

/** Maximum nesting of subagents in each other's trees. Deeper ones are in the main tree. */
const deepest = 16;
const subagentSource = sources.indexOf('subagents');

/**
 * Finds the place of each thread's own tree in a breakdown, and of the results of subagents in their callers' trees.
 */
export class ThreadGroups {
  private readonly agents = new Map<number, Agent>();
  private readonly titles: ReadonlyMap<number, string>;
  private readonly byCall: ReadonlyMap<string, Agent>;
  /** The thread in which a subagent's result was sent. */
  private readonly callers = new Map<Agent, number>();

  /**
   * @param sourceOf the source of each block, as an index into `sources`
   * @param shown the thread whose tree is the whole
   */
  constructor(
    private readonly columns: SessionColumns,
    { subagents, conversations }: SessionSummary,
    private readonly sourceOf: Uint8Array,
    private readonly groups: Groups,
    private readonly shown: number,
  ) {
    this.titles = new Map(conversations.map(({ thread, title }) => [thread, title]));
    this.byCall = new Map(
      subagents.flatMap(agent => (agent.callId === undefined ? [] : [[agent.callId, agent]])),
    );
    for (const agent of subagents) {
      if (agent.thread !== undefined) {
        this.agents.set(agent.thread, agent);
      }
    }
    if (this.byCall.size > 0) {
      this.findCallers();
    }
  }

  /**
   * True if the tree contains a thread. The main thread's tree contains all; any other tree only the threads that the
   * shown one started.
   */
  holds(thread: number): boolean {
    for (let above: number | undefined = thread; above !== undefined; above = this.callerOf(above)) {
      if (above === this.shown) {
        return true;
      }
    }
    return this.shown === 0;
  }

  /** The group that is the root of a thread's tree. */
  rootOf(thread: number): number {
    if (thread === this.shown) {
      return 0;
    }
    const agent = this.agents.get(thread);
    if (agent !== undefined) {
      const caller = this.callerOf(thread);
      return this.groupOf(agent, caller === undefined ? 0 : this.rootOf(caller));
    }
    const title = this.titles.get(thread) ?? '';
    const name = title === '' ? String(thread) : title;
    const above = this.groups.below(0, 'conversations');
    return this.groups.below(above, 'conversation', name, thread, String(thread));
  }

  /** The group for a result that a subagent returned to its caller; undefined for any other block of the thread. */
  returned(block: number, thread: number): number | undefined {
    const agent = this.agentOf(block);
    return agent === undefined || this.callers.get(agent) !== thread
      ? undefined
      : this.groups.below(this.groupOf(agent, this.rootOf(thread)), 'returned', '', thread);
  }

  private groupOf(agent: Agent, root: number): number {
    const { id, description, thread } = agent;
    const above = this.groups.below(root, 'subagents');
    return this.groups.below(above, 'conversation', description ?? id, thread, `${id} ${thread ?? ''}`);
  }

  private agentOf(block: number): Agent | undefined {
    if (this.byCall.size === 0 || this.sourceOf[block] !== subagentSource) {
      return undefined;
    }
    const { blocks, strings } = this.columns;
    return this.byCall.get(strings.at(blocks.callId[block] ?? 0) ?? '');
  }

  private callerOf(thread: number): number | undefined {
    const agent = this.agents.get(thread);
    return agent === undefined ? undefined : this.callers.get(agent);
  }

  private findCallers(): void {
    const { blocks, requests } = this.columns;
    for (let block = 0; block < this.sourceOf.length; block += 1) {
      const agent = this.agentOf(block);
      const caller = requests.thread[blocks.firstRequest[block] ?? -1];
      if (agent !== undefined && caller !== undefined && !this.callers.has(agent)) {
        this.callers.set(agent, caller);
      }
    }
    for (const [thread, agent] of this.agents) {
      let steps = 0;
      for (let above = this.callerOf(thread); above !== undefined; above = this.callerOf(above)) {
        steps += 1;
        // The agent called itself, by damage or on purpose.
        if (above === thread || steps > deepest) {
          this.callers.delete(agent);
          break;
        }
      }
    }
  }
}
