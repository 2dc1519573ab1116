import type { RecordedRequest, Transcript } from '../../model/transcript';
import { unknownError } from '../../tokens/calibration';
import { growthError, growthTerms } from '../../tokens/growth';
import { type EstimateSituation, estimateSituations } from '../../tokens/totalErrors';
import type { ExpectedTokens } from './expectedTokens';
import { opensTurn, type SessionGrowth } from './growthSteps';
import { type BlockState, PendingBlocks } from './pendingBlocks';

/** The expected growth of a request in tokens, and the recorded growth. */
export interface GrowthPrediction {
  readonly request: number;
  readonly predicted: number;
  readonly recorded: number;
  /** The stated error: nine of ten errors should be smaller. */
  readonly error: number;
  /** The expected tokens of the new blocks. The error is a share of them. */
  readonly blocks: number;
  /** True if the reply is predicted too, because its output is not recorded. */
  readonly withReply: boolean;
}

/** The division so far, for all threads. The tokens of a placed block are its share of a recorded growth. */
export interface TotalsSoFar extends BlockState {
  /** By request: tokens that are not recorded, and their relative error. */
  readonly notRecorded: Uint32Array;
  readonly notRecordedError: Float32Array;
  /** By request: tokens added (positive) or removed (negative) without a block and without a record. */
  readonly jump: Int32Array;
  /** By request: relative error of a total that is not recorded. `unknownError` if the thread has no recorded total at all. */
  readonly totalError: Float32Array;
  /** By request: an index into `estimateSituations` if its total is estimated. */
  readonly situation: Uint8Array;
}

/** A request without recorded input, in tokens of the first model. */
interface EstimatedRequest {
  readonly index: number;
  /** Its carried blocks. */
  readonly blocks: number;
  /** Estimated total, and the error of its growth since the last recorded total. */
  readonly total: number;
  readonly error: number;
}

/** Below this, and below this share of the input, nothing is called a jump. */
const leastJump = 500;
const leastJumpShare = 0.01;
/** Small changes without a name are named together once they are more than this share of the input. */
const driftShare = 0.02;
/** A deviation of this many stated errors is not an error of the estimate. */
const jumpErrors = 3;
/** An error above this share says nothing about a single step. */
const mostErrorShare = 0.35;
/** The unrecorded part does not vanish by small steps: this share of it stays. */
const leastKept = 0.5;
/** Even if a change has a name, this share of the unrecorded part stays. */
const leastOfAny = 0.1;
/** If a fall is at most this many times the tokens that were added without a block, these tokens have left again. */
const cameShare = 1.2;
/** The tokens of a notice that replaces a result. */
const noticeTokens = 20;
const smallestCleared = 50;
/** Searches for cleared results in one context. */
const mostSearches = 64;

const codeTerm = growthTerms.indexOf('code');
const nothing: readonly number[] = [];

interface ContextState {
  /** Blocks taken so far, and the tokens of those that are placed and carried. */
  walked: number;
  carried: number;
  readonly pending: PendingBlocks;
  /** Recorded input of its newest request. */
  input: number | undefined;
  /** Its requests since then, which have none. */
  readonly estimated: EstimatedRequest[];
  /** The position after the last cleared result, and the searches for one. */
  cleared: number;
  searches: number;
}

/** A request with recorded input after another one of its thread. */
interface RecordedStep {
  readonly input: number;
  /** The same in tokens of the first model. */
  readonly total: number;
  readonly growth: SessionGrowth;
  /** Thinking blocks from before the user's newest prompt. */
  readonly dropped: readonly number[];
  /** True if a recorded event changes the unrecorded part. */
  readonly isNamed: boolean;
  /** Tokens that were not recorded before. */
  readonly hidden: number;
}

/** The requests of one thread, one after the other. */
export class ThreadTotals {
  private readonly contexts = new Map<number, ContextState>();
  /** Tokens that are not recorded, in those of the first model; undefined before the first recorded input. */
  private hidden: number | undefined;
  private hiddenError = 0;
  private leastHidden = 0;
  /** Tokens that the blocks have too many, because nothing else may give way. */
  private slack = 0;
  /** Changes of the unrecorded part since the last named change. */
  private unnamed = 0;
  /** The first model's rate of code. */
  private baseRate: number | undefined;
  /** Of the newest request with recorded input. */
  private scale: number | undefined;
  /** True if everything that the newest request sent is recorded. */
  private wasComplete = false;
  /** Tokens that were added without a block since the first recorded input, and have not left. */
  private came = 0;
  /** Thinking of the turn, which some providers drop when the user speaks again. */
  private readonly thinking: number[] = [];
  /** Requests before the first with recorded input. */
  private readonly waiting: EstimatedRequest[] = [];
  /** True if the newest recorded input rose or fell without an explanation. */
  private hasJumped = false;

  constructor(
    private readonly transcript: Transcript,
    private readonly expected: ExpectedTokens,
    private readonly totals: TotalsSoFar,
    private readonly predictions: GrowthPrediction[] | undefined,
  ) {}

  /** @param input recorded or counted input tokens, 0 if there are none */
  add(request: RecordedRequest, index: number, input: number, growth: SessionGrowth): void {
    const known = this.contexts.size;
    const context = this.contextOf(request.context);
    const isNewContext = known > 0 && this.contexts.size > known;
    const dropped = this.walk(context, request, growth);
    const scale = this.scaleOf(growth);
    if (input === 0) {
      this.estimate(context, request, index, growth, dropped, scale);
      return;
    }
    // After complete requests, one that is not complete sends a prompt or tools of which no record is expected.
    const isNamed = isNewContext || this.scale !== scale || (this.wasComplete && !request.complete);
    this.scale = scale;
    this.wasComplete = request.complete;
    const total = input / scale;
    // The blocks of a complete request are all of its content, so they are scaled to the total together.
    if (!request.complete && this.hidden === undefined) {
      this.anchor(context, total, growth);
    } else if (!request.complete) {
      this.explain(context, index, { input, total, growth, dropped, isNamed, hidden: this.hidden ?? 0 });
    }
    if (this.waiting.length > 0 && !request.complete) {
      this.settleWaiting(context, growth, total, scale);
    }
    this.place(context);
    context.input = input;
    context.estimated.length = 0;
    this.hasJumped = this.totals.jump[index] !== 0;
    this.hidden = request.complete ? 0 : Math.max(0, total - context.carried + this.slack);
    this.totals.notRecorded[index] = request.complete ? 0 : Math.min(input, Math.round(this.hidden * scale));
    this.totals.notRecordedError[index] =
      this.hidden > 0 && !request.complete ? Math.min(1, this.hiddenError / this.hidden) : 0;
  }

  /** Places the blocks that still wait after the last recorded input, with their expected tokens. */
  finish(): void {
    for (const context of this.contexts.values()) {
      this.place(context);
    }
    for (const { index } of this.waiting) {
      this.totals.totalError[index] = unknownError;
    }
  }

  private contextOf(number: number): ContextState {
    let context = this.contexts.get(number);
    if (context === undefined) {
      context = {
        walked: 0,
        carried: 0,
        pending: new PendingBlocks(this.totals),
        input: undefined,
        estimated: [],
        cleared: 0,
        searches: 0,
      };
      this.contexts.set(number, context);
    }
    return context;
  }

  /** Adds the new blocks of a request. Returns the thinking blocks from before the user's newest prompt. */
  private walk(context: ContextState, request: RecordedRequest, growth: SessionGrowth): readonly number[] {
    const { transcript, expected, totals, thinking } = this;
    const { rates, family } = growth;
    const { length } = request;
    const blocks = transcript.contexts[request.context] ?? nothing;
    let dropped = nothing;
    if (context.walked === 0 && thinking.length > 0) {
      // Thinking of another context that this one does not hold cannot leave it.
      const held = new Set(blocks.slice(0, length));
      thinking.splice(0, thinking.length, ...thinking.filter(block => held.has(block)));
    }
    for (let position = context.walked; position < length; position += 1) {
      const block = blocks[position] ?? 0;
      if (totals.isPlaced[block] === 1) {
        context.carried += (totals.leftAt[block] ?? -1) < 0 ? (totals.tokens[block] ?? 0) : 0;
        continue;
      }
      const isUnknownReply = expected.isReply(block) && !expected.isRecorded(block);
      context.pending.hasTurn ||= opensTurn(transcript.blocks, block);
      context.pending.add(block, expected.of(block, rates, family), isUnknownReply);
      if (expected.isThinking(block)) {
        thinking.push(block);
      } else if (thinking.length > 0 && opensTurn(transcript.blocks, block)) {
        dropped = [...dropped, ...thinking.splice(0)];
      }
    }
    context.walked = Math.max(context.walked, length);
    return dropped;
  }

  /** Tokens of a model per token of the first model. With another tokenizer, all blocks have other token counts. */
  private scaleOf(growth: SessionGrowth): number {
    const rate = growth.prior.rates[codeTerm] ?? 1;
    this.baseRate ??= rate;
    return this.baseRate > 0 ? rate / this.baseRate : 1;
  }

  /** A request without recorded input is estimated from the previous one: only the blocks added since are uncertain. */
  private estimate(
    context: ContextState,
    { complete }: RecordedRequest,
    index: number,
    growth: SessionGrowth,
    dropped: readonly number[],
    scale: number,
  ): void {
    if (growth.dropsThinking) {
      this.leaveAll(context, dropped, index);
    }
    const { totals, slack, hiddenError } = this;
    const blocks = context.carried + context.pending.sum;
    const hidden = complete ? 0 : Math.max(0, (this.hidden ?? 0) - slack);
    const total = hidden + blocks;
    const error = complete ? 0 : this.errorOf(context, growth);
    const situation = this.situationOf(context, complete, scale);
    const estimated = { index, blocks, total, error };
    if (situation === 'beforeFirst') {
      this.waiting.push(estimated);
    } else {
      totals.notRecorded[index] = Math.round(hidden * scale);
      totals.notRecordedError[index] = hidden > 0 ? Math.min(1, hiddenError / hidden) : 0;
    }
    if (situation === 'step' || situation === 'newTurn' || situation === 'afterJump') {
      context.estimated.push(estimated);
    }
    this.stateError(estimated, situation, error, growth);
  }

  private situationOf(context: ContextState, isComplete: boolean, scale: number): EstimateSituation {
    if (isComplete) {
      return 'complete';
    }
    if (this.hidden === undefined) {
      return 'beforeFirst';
    }
    if (context.input === undefined || this.scale !== scale) {
      return 'newContext';
    }
    return this.hasJumped ? 'afterJump' : context.pending.hasTurn ? 'newTurn' : 'step';
  }

  private stateError(
    { index, total }: EstimatedRequest,
    situation: EstimateSituation,
    error: number,
    { totalErrors }: SessionGrowth,
  ): void {
    this.totals.totalError[index] = total > 0 ? error / total + totalErrors[situation] : 0;
    this.totals.situation[index] = estimateSituations.indexOf(situation);
  }

  /**
   * Corrects the estimates since the last recorded input, now that the next one shows the unexplained change in between.
   * The change may have come before or after each of these requests, so each gets one half of a jump.
   */
  private correctEstimates(
    context: ContextState,
    index: number,
    change: number,
    growth: SessionGrowth,
  ): void {
    const { notRecorded } = this.totals;
    const half = this.totals.jump[index] === 0 ? 0 : change / 2;
    for (const estimated of context.estimated) {
      const total = Math.max(0, estimated.total + half);
      const error = estimated.error + Math.abs(change - half);
      notRecorded[estimated.index] = Math.max(
        0,
        (notRecorded[estimated.index] ?? 0) + Math.round(half * (this.scale ?? 1)),
      );
      this.stateError({ ...estimated, total }, 'between', error, growth);
    }
  }

  /** The first recorded input shows the unrecorded part: the input minus the expected tokens of the blocks. */
  private anchor(context: ContextState, total: number, growth: SessionGrowth): void {
    const visible = context.carried + context.pending.sum;
    if (visible > total) {
      context.pending.addToAll(total - visible);
    }
    this.hiddenError = growthError(growth.errors.withReply, visible);
    this.leastHidden = leastKept * Math.max(0, total - visible);
  }

  /** The error that nine of ten estimates of the waiting blocks stay below, in tokens. */
  private errorOf({ pending }: ContextState, { errors }: SessionGrowth): number {
    return growthError(pending.hasUnknownReply ? errors.withReply : errors.afterOutput, pending.sum);
  }

  /** Explains the growth of a request's recorded input: usually by its blocks, whose estimates are adjusted. */
  private explain(context: ContextState, index: number, step: RecordedStep): void {
    const { input, total, growth, dropped, isNamed, hidden } = step;
    const { pending } = context;
    const error = this.errorOf(context, growth);
    const kept = hidden - this.slack + context.carried + pending.sum;
    if (this.predictions !== undefined && context.input !== undefined && !isNamed) {
      const before = context.input;
      const left = growth.dropsThinking ? this.sumOf(context, dropped) : 0;
      const predicted = kept - left - before;
      const recorded = input - before;
      this.predictions.push({
        request: index,
        predicted,
        recorded,
        error,
        blocks: pending.sum,
        withReply: pending.hasUnknownReply,
      });
    }
    const off = total - kept;
    const tolerance = Math.min(error, growthError(mostErrorShare, pending.sum));
    if (dropped.length === 0 && !isNamed && Math.abs(off) <= tolerance && off >= -pending.sum) {
      pending.addToAll(off);
      this.correctEstimates(context, index, 0, growth);
    } else {
      this.explainRest(context, index, step, off, error);
    }
  }

  /** Explains the growth that the estimate of the blocks does not cover. */
  private explainRest(
    context: ContextState,
    index: number,
    { total, growth, dropped, isNamed, hidden }: RecordedStep,
    difference: number,
    error: number,
  ): void {
    const { pending } = context;
    const droppedTokens = this.sumOf(context, dropped);
    let off = difference;
    const isNearer = Math.abs(off + droppedTokens) < Math.abs(off);
    if (droppedTokens > 0 && (droppedTokens > error ? isNearer : growth.dropsThinking)) {
      this.leaveAll(context, dropped, index);
      off += droppedTokens;
    }
    const tolerance = Math.min(error, growthError(mostErrorShare, pending.sum));
    if (off < -2 * tolerance) {
      off = this.withoutUncarried(context, index, off, tolerance);
    }
    const least = Math.max(leastJump, leastJumpShare * total, jumpErrors * tolerance);
    const isJump = !isNamed && Math.abs(off) > least;
    if (isJump) {
      this.totals.jump[index] = Math.round(off);
    }
    const unexplained = off;
    if (isJump && off < 0) {
      // Tokens that were added without a block can leave without one.
      const own = this.came * cameShare >= -off ? 0 : this.leaveCleared(context, index, -off - this.came);
      this.came = Math.max(0, this.came + off + own);
      off += own;
    } else if (isJump) {
      this.came += off;
    }
    if (isJump || isNamed) {
      this.unnamed = 0;
      this.hiddenError += error;
    }
    const absorbed = Math.min(Math.max(off, -tolerance), tolerance);
    const taken = isJump && off > 0 ? 0 : Math.max(absorbed, -pending.sum);
    pending.addToAll(taken);
    this.changeHidden(index, hidden, off - taken, total, isJump || isNamed);
    if (isNamed) {
      this.came = 0;
    } else {
      this.correctEstimates(context, index, unexplained - taken, growth);
    }
  }

  /** Adds the rest of a step to the unrecorded part, which never vanishes. */
  private changeHidden(index: number, hidden: number, change: number, total: number, isNamed: boolean): void {
    const next = hidden + change;
    const least = isNamed ? leastOfAny * hidden : Math.min(hidden, this.leastHidden);
    if (next < least) {
      this.slack += least - next;
    }
    if (isNamed) {
      this.leastHidden = leastKept * Math.max(next, least);
    }
    if (!isNamed) {
      this.unnamed += Math.max(next, least) - hidden;
      if (Math.abs(this.unnamed) > driftShare * total) {
        this.totals.jump[index] = Math.round(this.unnamed);
        this.unnamed = 0;
      }
    }
  }

  /** A reply that was not sent again, or a call of which the agent sends less than it records. */
  private withoutUncarried(context: ContextState, index: number, off: number, tolerance: number): number {
    const { pending } = context;
    const reply = pending.blocks.filter(block => this.expected.isReply(block) && pending.isCarried(block));
    const sum = reply.reduce((tokens, block) => tokens + pending.tokensOf(block), 0);
    if (sum > 0 && Math.abs(off + sum) <= Math.max(tolerance, 0.15 * sum)) {
      this.leaveAll(context, reply, index);
      return off + sum;
    }
    const calls = reply.filter(block => this.expected.isCall(block));
    const largest = calls.reduce((most, block) => Math.max(most, pending.tokensOf(block)), 0);
    if (largest > 0 && Math.abs(off + largest) <= Math.max(tolerance, 0.3 * largest)) {
      const call = calls.find(block => pending.tokensOf(block) === largest) ?? 0;
      pending.set(call, Math.max(noticeTokens, largest + off));
      return Math.min(0, off + largest - noticeTokens);
    }
    return off;
  }

  /** Marks the oldest results as cleared until about this many tokens have left. Returns the number of these tokens. */
  private leaveCleared(context: ContextState, index: number, wanted: number): number {
    const { transcript, expected, totals } = this;
    const blocks = transcript.contexts[transcript.requests[index]?.context ?? 0] ?? [];
    if (context.searches >= mostSearches) {
      return 0;
    }
    context.searches += 1;
    const end = context.walked - context.pending.blocks.length;
    const candidates: number[] = [];
    for (let position = context.cleared; position < end; position += 1) {
      const block = blocks[position] ?? 0;
      const isThere = expected.isResult(block) && (totals.leftAt[block] ?? -1) < 0;
      if (isThere && (totals.tokens[block] ?? 0) >= smallestCleared + noticeTokens) {
        candidates.push(position);
      }
    }
    let sum = 0;
    const taken = candidates.filter(position => {
      const freed = (totals.tokens[blocks[position] ?? 0] ?? 0) - noticeTokens;
      const isTaken = sum < 0.95 * wanted && sum + freed <= 1.05 * wanted;
      sum += isTaken ? freed : 0;
      return isTaken;
    });
    if (sum < leastKept * wanted) {
      return 0;
    }
    this.leaveAll(
      context,
      taken.map(position => blocks[position] ?? 0),
      index,
    );
    context.cleared = (taken.at(-1) ?? context.cleared) + 1;
    return sum;
  }

  private sumOf(context: ContextState, blocks: readonly number[]): number {
    return blocks.reduce((sum, block) => sum + this.tokensOf(context, block), 0);
  }

  private tokensOf({ pending }: ContextState, block: number): number {
    return this.totals.isPlaced[block] === 1 ? (this.totals.tokens[block] ?? 0) : pending.tokensOf(block);
  }

  private leaveAll(context: ContextState, blocks: readonly number[], index: number): void {
    for (const block of blocks) {
      if (this.totals.isPlaced[block] === 1) {
        this.totals.leftAt[block] = index;
        context.carried -= this.totals.tokens[block] ?? 0;
      } else {
        context.pending.leave(block, index);
      }
    }
  }

  /** Makes the tokens of the waiting blocks final, rounded so that they add up. */
  private place(context: ContextState): void {
    context.carried += context.pending.place();
  }

  /** Gives the requests before the first recorded input the unrecorded part that this input shows. */
  private settleWaiting(context: ContextState, growth: SessionGrowth, total: number, scale: number): void {
    const blocks = context.carried + context.pending.sum;
    const hidden = Math.max(0, total - blocks);
    for (const estimated of this.waiting.splice(0)) {
      const error = growthError(growth.errors.withReply, Math.abs(blocks - estimated.blocks));
      this.totals.notRecorded[estimated.index] = Math.round(hidden * scale);
      this.stateError({ ...estimated, total: hidden + estimated.blocks }, 'beforeFirst', error, growth);
    }
  }
}
