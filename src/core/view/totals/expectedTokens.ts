import { blockKinds } from '../../model/block';
import { blockContentTypes, promptRoles } from '../../model/labels';
import type { ModelFamily } from '../../model/modelRow';
import type { RecordedRequest, Transcript } from '../../model/transcript';
import { type GrowthRates, growthTerms, termCount } from '../../tokens/growth';
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

/** A recorded output below this share of its blocks' expected tokens is not usable. */
const leastShareOfReply = 0.85;

/** In place of the number of a term. */
const noTerm = -1;
const mediaTerm = -2;

/** The expected size of each block of a transcript, in the provider's tokens. */
export class ExpectedTokens {
  /** By block: the recorded tokens; -1 if only the rates give an estimate. */
  private readonly recorded: Float64Array;
  /** By block: the term of its text, and that of its frame: none for a text of a reply, which has no separate frame. */
  private readonly textTerm: Int8Array;
  private readonly frameTerm: Int8Array;
  private readonly kind: Uint8Array;
  private readonly role: Uint8Array;

  /** @param tokens tokenizer tokens by block */
  constructor(
    private readonly transcript: Transcript,
    private readonly tokens: Uint32Array,
  ) {
    const { agent, format, blocks } = transcript;
    const { length } = blocks;
    const { kind, role, textKind, contentType, tool } = blocks.rows;
    this.kind = kind;
    this.role = role;
    this.recorded = new Float64Array(length).fill(-1);
    this.textTerm = new Int8Array(length);
    this.frameTerm = new Int8Array(length);
    // Claude Code 2.1 records the plan in the call that shows it, and sends none.
    const sendsNoPlan = format === 'claude-code' && agent.versions.some(version => /^2\.[1-9]/.test(version));
    const planTool = sendsNoPlan ? blocks.texts.add('ExitPlanMode') : -1;
    for (let block = 0; block < length; block += 1) {
      const isCall = kind[block] === callKind;
      this.frameTerm[block] = isCall
        ? callTerm
        : kind[block] === resultKind
          ? resultTerm
          : role[block] === assistantRole
            ? noTerm
            : messageTerm;
      this.textTerm[block] =
        contentType[block] === imageType
          ? mediaTerm
          : isCall && tool[block] === planTool
            ? noTerm
            : kind[block] === thinkingKind
              ? thinkingTerm
              : (textKind[block] ?? 0);
    }
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

  /** True if the block's tokens are recorded, so that no rate is needed. */
  isRecorded(block: number): boolean {
    return (this.recorded[block] ?? -1) >= 0;
  }

  /** Expected tokens of a block in the provider's tokens; not a whole number. */
  of(block: number, rates: GrowthRates, family: ModelFamily): number {
    const recorded = this.recorded[block] ?? -1;
    if (recorded >= 0) {
      return recorded;
    }
    const text = this.textTerm[block] ?? noTerm;
    if (text === mediaTerm) {
      const media = this.transcript.blocks.at(block);
      return mediaTokens(family, media?.image, media?.size.bytes ?? 0);
    }
    const frame = this.frameTerm[block] ?? noTerm;
    const framing = frame === noTerm ? 0 : (rates[frame] ?? 0);
    return text === noTerm ? framing : (this.tokens[block] ?? 0) * (rates[text] ?? 0) + framing;
  }

  /** Adds a block's amount of each term to a row of terms, unless its tokens are recorded. */
  addTerms(block: number, terms: Float64Array, row: number): void {
    const text = this.textTerm[block] ?? noTerm;
    const frame = this.frameTerm[block] ?? noTerm;
    if (text === mediaTerm || this.isRecorded(block)) {
      return;
    }
    const start = row * termCount;
    if (text !== noTerm) {
      terms[start + text] = (terms[start + text] ?? 0) + (this.tokens[block] ?? 0);
    }
    if (frame !== noTerm) {
      terms[start + frame] = (terms[start + frame] ?? 0) + 1;
    }
  }

  /**
   * Gives the recorded output of a request to the blocks of its reply: reasoning to the thinking, the rest to the others in
   * proportion. Unchanged if the recorded output cannot be that of these blocks.
   */
  takeOutput(request: RecordedRequest, rates: GrowthRates, family: ModelFamily): void {
    const { reply, usage } = request;
    const { length } = reply;
    const { kind, tokens, recorded } = this;
    if (usage === undefined || length === 0 || usage.output === 0) {
      return;
    }
    let shown = 0;
    let thinking = 0;
    let thoughts = 0;
    for (let place = 0; place < length; place += 1) {
      const block = reply[place] ?? 0;
      if (kind[block] === thinkingKind) {
        thoughts += 1;
        thinking += tokens[block] ?? 0;
      } else {
        shown += this.of(block, rates, family);
      }
    }
    const { output, reasoning } = usage;
    // Of a doubtful output only one that covers the shown thinking too can be the final count.
    const shownToo = request.outputDoubtful === true ? thinking : 0;
    const answer = output - (reasoning ?? 0);
    if (answer < leastShareOfReply * (shown + shownToo)) {
      return;
    }
    const thought = reasoning ?? (thoughts === 0 ? 0 : Math.max(0, output - shown));
    const left = shown === 0 ? 0 : (output - thought) / shown;
    for (let place = 0; place < length; place += 1) {
      const block = reply[place] ?? 0;
      recorded[block] =
        kind[block] === thinkingKind
          ? thinking === 0
            ? thought / thoughts
            : (thought * (tokens[block] ?? 0)) / thinking
          : left * this.of(block, rates, family);
    }
  }
}
