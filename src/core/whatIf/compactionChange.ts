import { kindIn } from './blockChanges';
import { blockTokens, type Course, identityOf, type Prompt, promptsByThread, promptTokens } from './course';

/** The size at which the agent compacts, and the size of the rest, in tokens. */
export interface CompactionRule {
  /** Infinite: never. */
  readonly threshold: number;
  /** The size of the summary in place of the history; undefined: as in the compactions of the session. */
  readonly summary: number | undefined;
  /** True if the agent's record has the requests for summaries, so that they are a part of the cost. */
  readonly hasRequests: boolean;
}

/** The recorded compactions of a thread. */
interface RecordedCompactions {
  /** The first request after each compaction. */
  readonly after: ReadonlySet<number>;
  /** Requests for a summary that are on record. */
  readonly asking: ReadonlySet<number>;
  /** Tokens that stand between the head and the new prompt after a compaction; undefined without a compaction. */
  readonly left: number | undefined;
  /** A recorded request for a summary; undefined if none is on record. */
  readonly asked: Prompt['added'];
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
    const { added, removed } = isAfter ? this.sinceCompaction(prompt) : this.difference(prompt.blocks);
    const last = this.previous;
    this.previous = prompt;
    this.before = prompt.blocks;
    const size = last === undefined ? 0 : this.size(prompt, added, removed);
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
    const asked = recorded.asked ?? (rule.hasRequests && recorded.after.size === 0 ? unread : undefined);
    const asking =
      asked === undefined
        ? []
        : [
            {
              ...last,
              blocks: Uint32Array.from([
                ...old.filter(block => !removed.has(block)),
                ...(opening < 0 ? added : added.slice(0, opening)),
              ]),
              added: { ...asked, output: rule.summary ?? asked.output },
            },
          ];
    return {
      prompts: [...asking, { ...prompt, blocks: this.blocks }],
      dropped: [...old].filter(block => !sent.has(block) && kindIn(course, block) === 'toolResult'),
    };
  }

  /** The tokens that the agent compares with its threshold before it sends the next prompt. */
  private size(prompt: Prompt, added: readonly number[], removed: ReadonlySet<number>): number {
    const { course, blocks } = this;
    return promptTokens(course, {
      ...prompt,
      blocks: Uint32Array.from([...blocks.filter(block => !removed.has(block)), ...added]),
    });
  }

  /** Summaries are left out. */
  private difference(blocks: Uint32Array): ChangedBlocks {
    const { course } = this;
    const earlier = new Set([...this.before].map(block => identityOf(course, block)));
    const later = new Set([...blocks].map(block => identityOf(course, block)));
    return {
      added: [...blocks].filter(
        block => !earlier.has(identityOf(course, block)) && kindIn(course, block) !== 'summary',
      ),
      removed: new Set([...this.before].filter(block => !later.has(identityOf(course, block)))),
    };
  }

  /**
   * The blocks that a recorded compaction kept out of the next prompt: the last reply with its results, which no prompt
   * holds, and a new prompt. Blocks that the compaction itself added are left out.
   */
  private sinceCompaction({ request, blocks }: Prompt): ChangedBlocks {
    const { course } = this;
    const { session } = course;
    const { firstRequest } = session.columns.blocks;
    const earlier = new Set([...this.before].map(block => identityOf(course, block)));
    const isNew = (block: number): boolean => firstRequest[block] === request;
    const last = this.before.reduce((most, block) => Math.max(most, block), -1);
    const summary = blocks.find(block => isNew(block) && kindIn(course, block) === 'summary');
    const unsent: number[] = [];
    for (let block = last + 1; block < (summary ?? 0); block += 1) {
      const kind = kindIn(course, block);
      const isReply =
        kind === 'assistant' || kind === 'thinking' || kind === 'toolCall' || kind === 'toolResult';
      const first = firstRequest[block] ?? -1;
      if (isReply && (first < 0 || session.threadOf(first) === session.threadOf(request))) {
        unsent.push(block);
      }
    }
    return {
      added: [
        ...unsent,
        ...[...blocks].filter(
          block =>
            isNew(block) && kindIn(course, block) === 'prompt' && !earlier.has(identityOf(course, block)),
        ),
      ],
      removed: new Set(),
    };
  }
}

/**
 * A request for a summary where none is on record: with other tools or another system text than the conversation's, so
 * that it reads nothing of the cache. Codex and pi do so.
 */
const unread = { output: 0, readShare: 0 };

/** The blocks that a prompt has more than the one before it, and those that it has no longer. */
interface ChangedBlocks {
  readonly added: readonly number[];
  readonly removed: ReadonlySet<number>;
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
  let asked: Prompt['added'];
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
      if (reply > 0 && Math.abs(reply - size) <= 0.25 * reply + 100) {
        asking.add(before.request);
        const total = Math.max(1, session.tokens.total(before.request));
        asked = {
          output: requests.output[before.request] ?? 0,
          readShare: session.readOf(before.request) / total,
        };
      }
    }
  }
  return { after, asking, left: middle(left), asked };
}

/** The median; undefined of none. */
function middle(values: readonly number[]): number | undefined {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)];
}
