import { stringAt } from '../../base/json';
import type { TranscriptBuilder } from '../../content/transcriptBuilder';
import { addSubagent } from '../common/notes';
import { Thread } from '../common/thread';

interface Span {
  readonly type: string;
  readonly name: string;
  readonly parent: string | undefined;
}

/** Maximum nesting of spans that is followed. */
const deepest = 100;

/** Finds the caller of a model event: the solver, a scorer, or an agent that a tool started. */
export class InspectLanes {
  private threads = 0;
  private sample = 0;
  private main: Thread;
  private spans = new Map<string, Span>();
  private lanes = new Map<string, Thread>();
  private steps: string[] = [];

  constructor(private readonly builder: TranscriptBuilder) {
    this.main = new Thread(builder, 0);
  }

  /** Starts a sample and returns its main conversation. */
  start(): Thread {
    this.main = new Thread(this.builder, this.nextThread());
    this.sample += 1;
    this.spans = new Map();
    this.lanes = new Map();
    this.steps = [];
    return this.main;
  }

  readSpans(events: readonly unknown[]): void {
    for (const event of events) {
      const id = stringAt(event, 'id');
      if (stringAt(event, 'event') === 'span_begin' && id !== undefined) {
        const name = stringAt(event, 'name') ?? '';
        this.spans.set(id, {
          type: stringAt(event, 'type') ?? '',
          name,
          parent: stringAt(event, 'parent_id'),
        });
      }
    }
  }

  /** Follows the steps, which logs before 2025 had instead of spans. */
  enter(event: unknown): void {
    if (stringAt(event, 'event') === 'step') {
      if (stringAt(event, 'action') === 'begin') {
        this.steps.push(stringAt(event, 'type') ?? '');
      } else {
        this.steps.pop();
      }
    }
  }

  laneOf(event: unknown): Thread {
    if (this.steps.includes('scorer')) {
      return this.lane('scorer', 'scorer');
    }
    let agent: readonly [string, Span] | undefined;
    let id = stringAt(event, 'span_id');
    for (let depth = 0; id !== undefined && depth < deepest; depth += 1) {
      const span = this.spans.get(id);
      if (span === undefined) {
        break;
      }
      if (span.type === 'scorer' || span.type === 'scorers') {
        return this.lane('scorer', 'scorer');
      }
      if (span.type === 'agent') {
        agent = [id, span];
      }
      if (span.type === 'tool' && agent !== undefined) {
        return this.lane(agent[0], agent[1].name);
      }
      id = span.parent;
    }
    return this.main;
  }

  private lane(key: string, description: string): Thread {
    const known = this.lanes.get(key);
    if (known !== undefined) {
      return known;
    }
    const lane = new Thread(this.builder, this.nextThread());
    const id = `${this.sample}/${key}`;
    this.lanes.set(key, lane);
    addSubagent(this.builder, { id, thread: lane.thread, description });
    return lane;
  }

  private nextThread(): number {
    this.threads += 1;
    return this.threads - 1;
  }
}
