import { entryOf } from '../base/entryOf';
import type { KnownWindow, RecordedWindow } from '../model/contextWindow';
import type { ModelRow } from '../model/modelRow';
import type { RecordedRequest, Transcript } from '../model/transcript';
import { lookUpModel, type ModelLookUp } from './modelTable';

/** A context larger than a model's known window means that the model ran with its large window. */
const largeWindow = 1_000_000;

/**
 * Agents compact automatically when the window is nearly full: Claude Code at 155,000 to 168,000 of 200,000 tokens, in
 * versions 2.0 to 2.1.42. A compaction at a smaller share is no evidence about the window.
 */
const leastShare = 0.75;

/** Evidence in a session about the window of a model. */
export interface WindowFacts {
  readonly recorded?: RecordedWindow | undefined;
  /** The largest recorded input, in tokens. */
  readonly largest: number;
  /** Sizes at which the agent compacted automatically, in tokens. */
  readonly compacted: readonly number[];
}

interface ModelFacts extends WindowFacts {
  recorded: RecordedWindow | undefined;
  largest: number;
  readonly compacted: number[];
}

/** The windows of a session's requests. One pass over the requests, then constant time. */
export class ContextWindows {
  private readonly models = new Map<string, ModelFacts>();
  private readonly known = new Map<string, KnownWindow | undefined>();

  constructor(
    { requests, compactions }: Pick<Transcript, 'requests' | 'compactions'>,
    private readonly lookUp: ModelLookUp = lookUpModel,
  ) {
    for (const { model = '', usage, window } of requests) {
      const facts = this.factsOf(model);
      // A header applies only to its own request.
      facts.recorded = window?.source === 'transcript' ? window : facts.recorded;
      if (usage !== undefined) {
        facts.largest = Math.max(facts.largest, usage.input + usage.cacheRead + usage.cacheWrite);
      }
    }
    for (const { kind, trigger, tokensBefore, thread, request } of compactions) {
      if (kind === 'compaction' && trigger === 'auto' && tokensBefore !== undefined) {
        const before = requests.findLast((other, index) => index < request && other.thread === thread);
        this.factsOf(before?.model ?? '').compacted.push(tokensBefore);
      }
    }
  }

  /** The window of one of the requests; `undefined` if there is no evidence. */
  of({ model = '', window }: Pick<RecordedRequest, 'model' | 'window'>): KnownWindow | undefined {
    if (window !== undefined) {
      return window;
    }
    if (!this.known.has(model)) {
      this.known.set(model, windowOf(this.factsOf(model), this.lookUp(model)));
    }
    return this.known.get(model);
  }

  /** The input of `windowOf` for one of the requests. */
  factsFor({ model = '', window }: Pick<RecordedRequest, 'model' | 'window'>): WindowFacts {
    return window === undefined ? this.factsOf(model) : { recorded: window, largest: 0, compacted: [] };
  }

  private factsOf(model: string): ModelFacts {
    return entryOf(this.models, model, () => ({ recorded: undefined, largest: 0, compacted: [] }));
  }
}

export function windowOf(
  { recorded, largest, compacted }: WindowFacts,
  row: ModelRow | undefined,
): KnownWindow | undefined {
  if (recorded !== undefined || row === undefined) {
    return recorded;
  }
  const { contextWindow: tokens, eitherWindow: either, windowSource: source = 'table' } = row;
  if (source === 'model' && tokens !== undefined) {
    return { tokens, source };
  }
  const [smaller, larger] = either ?? [tokens, largeWindow];
  if (smaller === undefined) {
    return undefined;
  }
  const set = source === 'settings' ? tokens : undefined;
  if (largest > smaller && (set === undefined || set < largest)) {
    return largest <= larger ? { tokens: larger, source: 'session' } : undefined;
  }
  const isSmall = compacted.some(size => size <= smaller && size >= leastShare * smaller);
  if (either !== undefined && isSmall && (set === undefined || set > smaller)) {
    return { tokens: smaller, source: 'session' };
  }
  if (set !== undefined) {
    return { tokens: set, source };
  }
  return either === undefined ? { tokens: smaller, source } : { tokens: smaller, source, other: larger };
}
