import type { CacheSession } from '../cache/cacheSession';
import type { ModelRow } from '../model/modelRow';
import { blocksOf } from '../model/requestBlocks';
import { isCarried } from '../view/requestTokens';

/** The prompt of a request as blocks, in wire order. */
export interface Prompt {
  /** The recorded request. An added request names the one before which it is sent. */
  readonly request: number;
  /** Numbers of recorded blocks, or from `MadeBlocks`. */
  readonly blocks: Uint32Array;
  /** Tokens that belong to no recorded block, in front of the blocks. */
  readonly hidden: number;
  /** Only for a request that no record holds: the tokens of its reply, and the largest share that it reads. */
  readonly added?: { readonly output: number; readonly readShare: number };
}

/** Where a provider with explicit caching is told to write: as recorded (or as is usual), or at every block. */
export type Placement = 'recorded' | 'everywhere';

/** All prompts of a session, as recorded or under other settings, with all that decides their price. */
export interface Course {
  readonly session: CacheSession;
  /** In the order of the file. */
  readonly prompts: readonly Prompt[];
  readonly made: MadeBlocks;
  /** Seconds that a cache entry lives; undefined: as recorded or as is usual for the model. */
  readonly lifetime?: number;
  readonly placement: Placement;
  /** The model whose prices apply; undefined: the recorded one. */
  readonly pricedAs?: ModelRow;
  /** Results that are no longer sent from a request on, although they were in the record. */
  readonly dropped: readonly { readonly block: number; readonly request: number }[];
}

/** Blocks that no record holds, as notices and shortened texts. Their numbers follow those of the recorded blocks. */
export class MadeBlocks {
  private readonly numbers = new Map<string, number>();
  private readonly sizes: number[] = [];

  constructor(private readonly first: number) {}

  /** The block with a key; made with this size, in the tokenizer's count, if it is new. */
  of(key: string, tokens: number): number {
    const known = this.numbers.get(key);
    if (known !== undefined) {
      return known;
    }
    const number = this.first + this.sizes.length;
    this.sizes.push(Math.max(0, tokens));
    this.numbers.set(key, number);
    return number;
  }

  tokensOf(block: number): number {
    return this.sizes[block - this.first] ?? 0;
  }

  isMade(block: number): boolean {
    return block >= this.first;
  }
}

/** Tokens of a block in the tokenizer's count, which each request scales. */
export function blockTokens({ session, made }: Course, block: number): number {
  return made.isMade(block) ? made.tokensOf(block) : (session.columns.blocks.tokens[block] ?? 0);
}

/** Equal for blocks with the same content. */
export function identityOf({ session, made }: Course, block: number): number {
  return made.isMade(block) ? block : (session.contexts.identities[block] ?? block);
}

/** Tokens of a prompt in the provider's count. */
export function promptTokens(course: Course, prompt: Prompt): number {
  let sum = 0;
  for (const block of prompt.blocks) {
    sum += blockTokens(course, block);
  }
  return prompt.hidden + sum * course.session.tokens.scale(prompt.request);
}

/**
 * The course of a session as it was recorded.
 * @param threads those of the session, if its file holds several
 */
export function recordedCourse(session: CacheSession, threads?: readonly number[]): Course {
  const { columns, tokens } = session;
  const leaves = columns.blocks.leftAt.some(left => left >= 0);
  return {
    session,
    prompts: Array.from(columns.requests.thread).flatMap((thread, request) => {
      if (threads?.includes(thread) === false) {
        return [];
      }
      const all = blocksOf(columns, request);
      const blocks = leaves ? all.filter(block => isCarried(columns.blocks, block, request)) : all;
      return [{ request, blocks, hidden: tokens.notRecorded(request) }];
    }),
    made: new MadeBlocks(columns.blocks.kind.length),
    placement: 'recorded',
    dropped: [],
  };
}

/** The course with every prompt's blocks changed. `change` returns the same array where nothing changes. */
export function withBlocks(
  course: Course,
  change: (blocks: Uint32Array, request: number) => Uint32Array,
): Course {
  return {
    ...course,
    prompts: course.prompts.map(prompt => {
      const blocks = change(prompt.blocks, prompt.request);
      return blocks === prompt.blocks ? prompt : { ...prompt, blocks };
    }),
  };
}

/** The prompts of each thread, oldest first. */
export function promptsByThread({ session, prompts }: Course): readonly (readonly Prompt[])[] {
  const threads = new Map<number, Prompt[]>();
  for (const prompt of prompts) {
    const thread = session.threadOf(prompt.request);
    const known = threads.get(thread);
    if (known === undefined) {
      threads.set(thread, [prompt]);
    } else {
      known.push(prompt);
    }
  }
  return [...threads.values()];
}
