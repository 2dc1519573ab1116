import { blockContentTypes, promptRoles } from '../../model/labels';
import { blockKinds } from '../../model/block';
import type { ModelFamily } from '../../model/modelRow';
import type { RecordedRequest, Transcript } from '../../model/transcript';
import { growthTerms, type GrowthRates, termCount } from '../../tokens/growth';
import { mediaTokens } from '../../tokens/imageTokens';

const thinkingTerm = growthTerms.indexOf('thinking');
const callTerm = growthTerms.indexOf('call');
const resultTerm = growthTerms.indexOf('result');
const messageTerm = growthTerms.indexOf('message');

const thinkingKind = blockKinds.indexOf('thinking');
const callKind = blockKinds.indexOf('toolCall');
const resultKind = blockKinds.indexOf('toolResult');
const imageType = blockContentTypes.indexOf('image');
const assistantRole = promptRoles.indexOf('assistant');

/** A reply whose recorded output is below this share of what its blocks need has no usable record. */
const leastShareOfReply = 0.85;

/** What the blocks of a transcript are expected to cost in the provider's tokens, each by itself. */
export class ExpectedTokens {
  /** By block: the tokens that a record tells, -1 where only the rates tell them. */
  private readonly recorded: Float64Array;
  /** The number of the name of the tool whose recorded arguments are not sent, 0 where there is none. */
  private readonly planTool: number;
  private readonly kind: Uint8Array;
  private readonly role: Uint8Array;

  /** @param tokens tokenizer tokens by block */
  constructor(
    private readonly transcript: Transcript,
    private readonly tokens: Uint32Array,
  ) {
    this.recorded = new Float64Array(transcript.blocks.length).fill(-1);
    const { agent, format, blocks } = transcript;
    const isClaudeCode =
      format === 'claude-code' && agent.versions.some(version => /^2\.[1-9]/.test(version));
    this.planTool = isClaudeCode ? blocks.texts.add('ExitPlanMode') : 0;
    this.kind = blocks.rows.kind;
    this.role = blocks.rows.role;
  }

  isThinking(block: number): boolean {
    return this.kind[block] === thinkingKind;
  }

  isCall(block: number): boolean {
    return this.kind[block] === callKind;
  }

  isResult(block: number): boolean {
    return this.kind[block] === resultKind;
  }

  isReply(block: number): boolean {
    return this.role[block] === assistantRole;
  }

  /** Whether a record tells the block's tokens, so that no rate is needed. */
  isRecorded(block: number): boolean {
    return (this.recorded[block] ?? -1) >= 0;
  }

  /** Expected tokens of a block in the provider's tokens; not a whole number. */
  of(block: number, rates: GrowthRates, family: ModelFamily): number {
    const recorded = this.recorded[block] ?? -1;
    if (recorded >= 0) {
      return recorded;
    }
    if (this.isMedia(block)) {
      const size = this.transcript.blocks.at(block);
      return mediaTokens(family, size?.image, size?.size.bytes ?? 0);
    }
    const frame = this.frameTerm(block);
    return this.tokensOf(block) * (rates[this.textTerm(block)] ?? 0) + (frame < 0 ? 0 : (rates[frame] ?? 0));
  }

  /** Adds what a block has of each term to a row of terms, unless its tokens are known otherwise. */
  addTerms(block: number, terms: Float64Array, row: number): void {
    if (this.isRecorded(block) || this.isMedia(block)) {
      return;
    }
    const text = row * termCount + this.textTerm(block);
    terms[text] = (terms[text] ?? 0) + this.tokensOf(block);
    const frame = this.frameTerm(block);
    if (frame >= 0) {
      const place = row * termCount + frame;
      terms[place] = (terms[place] ?? 0) + 1;
    }
  }

  /**
   * Gives the recorded output of a request to the blocks of its reply: reasoning to the thinking, the rest to the others in
   * proportion. Left alone where the recorded output cannot be that of these blocks.
   */
  takeOutput(
    { reply, usage, outputDoubtful }: RecordedRequest,
    rates: GrowthRates,
    family: ModelFamily,
  ): void {
    if (usage === undefined || reply.length === 0) {
      return;
    }
    let shown = 0;
    let thinking = 0;
    let thoughts = 0;
    for (const block of reply) {
      if (this.isThinking(block)) {
        thoughts += 1;
        thinking += this.tokens[block] ?? 0;
      } else {
        shown += this.of(block, rates, family);
      }
    }
    const { output, reasoning } = usage;
    // Of a doubtful output only one that covers the shown thinking too can be the final count.
    const shownToo = outputDoubtful === true ? thinking : 0;
    const answer = output - (reasoning ?? 0);
    if (answer < leastShareOfReply * (shown + shownToo) || output === 0) {
      return;
    }
    const thought = reasoning ?? (thoughts === 0 ? 0 : Math.max(0, output - shown));
    const left = shown === 0 ? 0 : (output - thought) / shown;
    for (const block of reply) {
      this.recorded[block] = this.isThinking(block)
        ? thinking === 0
          ? thought / thoughts
          : (thought * (this.tokens[block] ?? 0)) / thinking
        : left * this.of(block, rates, family);
    }
  }

  /** Tokenizer tokens of what is sent. Claude Code 2.1 records the plan in the call that shows it, and sends none. */
  private tokensOf(block: number): number {
    const isUnsent = this.planTool > 0 && this.transcript.blocks.rows.tool[block] === this.planTool;
    return isUnsent && this.isCall(block) ? 0 : (this.tokens[block] ?? 0);
  }

  private isMedia(block: number): boolean {
    return this.transcript.blocks.rows.contentType[block] === imageType;
  }

  private textTerm(block: number): number {
    return this.isThinking(block) ? thinkingTerm : (this.transcript.blocks.rows.textKind[block] ?? 0);
  }

  /** -1 for a text of a reply, which stands in no frame of its own. */
  private frameTerm(block: number): number {
    if (this.isCall(block)) {
      return callTerm;
    }
    if (this.isResult(block)) {
      return resultTerm;
    }
    return this.isReply(block) ? -1 : messageTerm;
  }
}
