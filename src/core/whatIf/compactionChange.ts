import { kindIn } from './blockChanges';
import { blockTokens, type Course, identityOf, type Prompt, promptsByThread, promptTokens } from './course';

/** When the agent compacts, and how large what is left is, in tokens. */
export interface CompactionRule {
  /** Infinite: never. */
  readonly threshold: number;
  /** What stands in place of the history; undefined: as in the compactions of the session. */
  readonly summary: number | undefined;
}

/** What the compactions of a thread left, by the record. */
interface RecordedCompactions {
  /** The first request after each compaction. */
  readonly after: ReadonlySet<number>;
  /** Requests for a summary that are on record. */
  readonly asking: ReadonlySet<number>;
  /** Tokens that stand between the head and the new prompt after a compaction; undefined without a compaction. */
  readonly left: number | undefined;
  /** Output tokens of a request for a summary, and its input as a share of the prompt before it. */
  readonly asked: { readonly output: number; readonly share: number } | undefined;
}

/**
 * The course with other compactions: before each request the history is replaced if the one before it, with its reply,
 * was above the threshold. Compactions of the record that do not happen then are taken back: the texts from before them
 * stay. Undefined if a compaction happens and nothing says how large a summary is.
 */
export function withCompactions(course: Course, rule: CompactionRule): Course | undefined {
  const changed = new Map<Prompt, readonly Prompt[]>();
  const dropped = [...course.dropped];
  for (const prompts of promptsByThread(course)) {
    const thread = new CompactedThread(course, prompts, rule);
    for (const prompt of prompts) {
      const next = thread.next(prompt);
      if (next === undefined) {
        return undefined;
      }
      changed.set(prompt, next.prompts);
      dropped.push(...next.dropped.map(block => ({ block, request: prompt.request })));
    }
  }
  return { ...course, dropped, prompts: course.prompts.flatMap(prompt => changed.get(prompt) ?? [prompt]) };
}

class CompactedThread {
  private readonly recorded: RecordedCompactions;
  /** The blocks of the last prompt, as recorded and as changed. */
  private before: Uint32Array = new Uint32Array();
  private blocks: Uint32Array = new Uint32Array();
  private isChanged = false;
  private previous: Prompt | undefined;
  private count = 0;

  constructor(
    private readonly course: Course,
    prompts: readonly Prompt[],
    private readonly rule: CompactionRule,
  ) {
    this.recorded = recordedCompactions(course, prompts);
  }

  /** The prompts in place of the next one; undefined if the size of a summary is not known. */
  next(
    prompt: Prompt,
  ): { readonly prompts: readonly Prompt[]; readonly dropped: readonly number[] } | undefined {
    const { course, recorded, rule } = this;
    if (recorded.asking.has(prompt.request)) {
      // Compactions of the changed course have requests of their own.
      return { prompts: [], dropped: [] };
    }
    const isAfter = recorded.after.has(prompt.request);
    const { added, removed } = this.difference(prompt.blocks, isAfter);
    const last = this.previous;
    this.previous = prompt;
    this.before = prompt.blocks;
    const size =
      last === undefined
        ? 0
        : promptTokens(course, { ...last, blocks: this.blocks }) +
          (course.session.columns.requests.output[last.request] ?? 0);
    const isCompacted = last !== undefined && size > rule.threshold;
    if (!isCompacted) {
      if (!this.isChanged && !isAfter) {
        this.blocks = prompt.blocks;
        return { prompts: [prompt], dropped: [] };
      }
      this.isChanged = true;
      this.blocks = Uint32Array.from([...this.blocks.filter(block => !removed.has(block)), ...added]);
      return { prompts: [{ ...prompt, blocks: this.blocks }], dropped: [] };
    }
    const left = rule.summary ?? recorded.left;
    if (left === undefined) {
      return undefined;
    }
    this.isChanged = true;
    this.count += 1;
    const scale = course.session.tokens.scale(prompt.request);
    const summary = course.made.of(
      `summary ${prompt.request} ${this.count}`,
      scale === 0 ? left : left / scale,
    );
    const opening = added.findIndex(block => kindIn(course, block) === 'prompt');
    const old = this.blocks;
    const head = headLength(course, prompt.blocks);
    this.blocks = Uint32Array.from([
      ...prompt.blocks.subarray(0, head),
      summary,
      ...(opening < 0 ? [] : added.slice(opening)),
    ]);
    const sent = new Set(this.blocks);
    const asking =
      recorded.asked === undefined
        ? []
        : [{ ...last, blocks: old, addedOutput: rule.summary ?? recorded.asked.output }];
    return {
      prompts: [...asking, { ...prompt, blocks: this.blocks }],
      dropped: [...old].filter(block => !sent.has(block) && kindIn(course, block) === 'toolResult'),
    };
  }

  /** The blocks that the next prompt has more, without summaries, and those that it has no longer. */
  private difference(
    blocks: Uint32Array,
    isAfterCompaction: boolean,
  ): { readonly added: readonly number[]; readonly removed: ReadonlySet<number> } {
    const { course } = this;
    const earlier = new Set([...this.before].map(block => identityOf(course, block)));
    const later = new Set([...blocks].map(block => identityOf(course, block)));
    const added = [...blocks].filter(
      block => !earlier.has(identityOf(course, block)) && kindIn(course, block) !== 'summary',
    );
    return {
      added,
      removed: new Set(
        isAfterCompaction ? [] : [...this.before].filter(block => !later.has(identityOf(course, block))),
      ),
    };
  }
}

/** Number of blocks before the conversation: system text, tools, and what the agent put in front of the first prompt. */
function headLength(course: Course, blocks: Uint32Array): number {
  const end = blocks.findIndex(block => {
    const kind = kindIn(course, block);
    return kind !== 'systemPrompt' && kind !== 'toolSchema' && kind !== 'structuredOutput';
  });
  return end < 0 ? blocks.length : end;
}

function recordedCompactions(course: Course, prompts: readonly Prompt[]): RecordedCompactions {
  const { session } = course;
  const { requests } = session.columns;
  const [first] = prompts;
  const thread = first === undefined ? -1 : session.threadOf(first.request);
  const after = new Set<number>();
  const asking = new Set<number>();
  const left: number[] = [];
  const asked: { output: number; share: number }[] = [];
  for (const compaction of session.compactions) {
    if (compaction.thread !== thread || compaction.kind !== 'compaction') {
      continue;
    }
    const place = prompts.findIndex(({ request }) => request >= compaction.request);
    const next = prompts[place];
    if (next === undefined || after.has(next.request)) {
      continue;
    }
    after.add(next.request);
    const head = headLength(course, next.blocks);
    const isNew = (block: number): boolean =>
      kindIn(course, block) === 'prompt' && session.columns.blocks.firstRequest[block] === next.request;
    const scale = session.tokens.scale(next.request);
    const rest = [...next.blocks.subarray(head)].filter(block => !isNew(block));
    left.push(rest.reduce((sum, block) => sum + blockTokens(course, block), 0) * scale);
    const before = prompts[place - 1];
    const summary = next.blocks.find(block => kindIn(course, block) === 'summary');
    if (before !== undefined && summary !== undefined) {
      const reply = requests.replyTokens[before.request] ?? 0;
      const size = blockTokens(course, summary) * scale;
      if (reply > 0 && Math.abs(reply - size) <= 0.1 * reply + 8) {
        asking.add(before.request);
        asked.push({ output: requests.output[before.request] ?? 0, share: 1 });
      }
    }
  }
  return { after, asking, left: middle(left), asked: asked[0] };
}

/** The median; undefined of none. */
function middle(values: readonly number[]): number | undefined {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)];
}
