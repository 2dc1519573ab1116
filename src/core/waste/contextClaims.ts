import { entryOf } from '../base/entryOf';
import { blockFlags } from '../model/block';
import { kindOf } from '../model/blockWords';
import type { SessionColumns } from '../model/columns';
import { isCarried } from '../view/requestTokens';
import type { Claims } from './claims';
import { pathOf, plainPath } from './filePaths';
import { repeatedWords } from './repeatedWords';
import { hookGroup } from './wasteAdvice';
import { type TextFacts, isMemoryFile } from './textFacts';
import type { WasteKind } from './wasteKinds';

/** Number of requests after which an image counts as waste. */
const lookedAt = 20;
/** Tools whose image or snapshot shows the current state of a page or a screen. */
const showsPage =
  /(?:browser|page|playwright|puppeteer|chrome|devtools|computer|simulator|emulator|mobile|desktop|screen).*(?:snapshot|screenshot)|^(?:take_)?(?:snapshot|screenshot)$|^computer$|browser_action/i;

/** A reading of a file in a context. */
interface Reading {
  readonly block: number;
  /** Equal for calls with equal arguments. */
  readonly call: number;
  readonly content: number;
}

/** Facts collected while walking along the contexts of a session. */
export class ContextClaims {
  private readonly paths = new Map<string, number>();
  private readonly instructionsSeen = new Set<string>();

  constructor(
    private readonly columns: SessionColumns,
    private readonly facts: TextFacts,
    private readonly claims: Claims,
    /** True if the user can change a block of instructions. */
    private readonly isOwn: (block: number) => boolean,
  ) {}

  /** Linear in the lengths of all contexts. */
  addAll(): void {
    this.columns.contexts.forEach((_, context) => {
      this.addContext(context);
    });
  }

  private addContext(context: number): void {
    const { columns } = this;
    const { blocks } = columns;
    const walk = new ContextWalk(columns, context);
    const instructions: number[] = [];
    columns.contexts[context]?.forEach(block => {
      switch (kindOf(blocks, block)) {
        case 'toolResult':
          this.meetResult(walk, block);
          break;
        case 'image':
          this.meetImage(walk, block);
          break;
        case 'prompt':
          this.meetHook(walk, block);
          this.meetPrompt(walk, block);
          break;
        case 'systemPrompt':
          instructions.push(block);
          break;
        case 'injected':
          this.meetHook(walk, block);
          if (isMemoryFile(columns, block)) {
            instructions.push(block);
          }
          break;
        case 'toolSchema':
        case 'assistant':
        case 'thinking':
        case 'toolCall':
        case 'summary':
        case 'structuredOutput':
        case 'other':
      }
    });
    this.addInstructions(instructions);
  }

  private meetResult(walk: ContextWalk, block: number): void {
    const { blocks } = this.columns;
    if (((blocks.flags[block] ?? 0) & (blockFlags.error | blockFlags.cleared)) !== 0) {
      return;
    }
    const call = blocks.pair[block] ?? -1;
    if (this.facts.pages.has(block) || showsPage.test(this.toolOf(block))) {
      this.replace(walk, `text ${this.toolFamily(block)}`, block);
      return;
    }
    const shown = this.facts.shownFiles.get(block);
    const path = this.pathNumber(
      shown === undefined ? pathOf(this.columns, block, call) : plainPath(shown.path),
    );
    if (path === undefined) {
      return;
    }
    if (call >= 0 && this.facts.changing.has(call)) {
      const readings = walk.readings.get(path) ?? [];
      const touched = readings.filter(reading => this.facts.isTouched(reading.block, call));
      for (const reading of touched) {
        this.claimReading('staleReading', walk, reading.block, block, block);
      }
      walk.readings.set(
        path,
        readings.filter(reading => !touched.includes(reading)),
      );
    } else if (shown !== undefined || (call >= 0 && this.facts.showing.has(call))) {
      this.meetReading(walk, path, {
        block,
        call: call < 0 ? -1 : (blocks.content[call] ?? call),
        content: shown?.content ?? blocks.content[block] ?? block,
      });
    }
  }

  private meetReading(walk: ContextWalk, path: number, reading: Reading): void {
    const earlier = entryOf<number, Reading[]>(walk.readings, path, () => []);
    const same = earlier.find(({ content }) => content === reading.content);
    if (same !== undefined) {
      const since = walk.arrival(reading.block);
      if (since !== undefined && isCarried(this.columns.blocks, same.block, since)) {
        this.claims.add({
          kind: 'readAgain',
          group: '',
          block: reading.block,
          since,
          share: 1,
          evidence: same.block,
        });
      }
      return;
    }
    const replaced = earlier.findIndex(({ call }) => call >= 0 && call === reading.call);
    if (replaced >= 0) {
      const [old] = earlier.splice(replaced, 1);
      if (old !== undefined) {
        this.claimReading('staleReading', walk, old.block, reading.block, reading.block);
      }
    }
    earlier.push(reading);
  }

  /** A reading is wasted once it is stale and nothing refers to it any more. */
  private claimReading(
    kind: WasteKind,
    walk: ContextWalk,
    block: number,
    arrived: number,
    evidence: number,
  ): void {
    const stale = walk.arrival(arrived);
    const use = this.facts.lastUse(block);
    const used = use < 0 ? -1 : (this.columns.blocks.firstRequest[use] ?? -1);
    // The last block that refers to it was never sent.
    const isUsedLast = use >= 0 && used < 0;
    if (stale !== undefined && !isUsedLast) {
      const since = Math.max(stale, used);
      this.claims.add({ kind, group: '', block, since, share: 1, evidence });
    }
  }

  private meetImage(walk: ContextWalk, block: number): void {
    const { blocks } = this.columns;
    const since = walk.arrival(block);
    const content = blocks.content[block] ?? block;
    const same = walk.images.get(content);
    if (same !== undefined && since !== undefined && isCarried(blocks, same, since)) {
      this.claims.add({ kind: 'image', group: '', block, since, share: 1, evidence: same });
      return;
    }
    walk.images.set(content, block);
    if (showsPage.test(this.toolOf(block))) {
      this.replace(walk, `image ${this.toolFamily(block)}`, block);
    } else {
      walk.newImages.push(block);
    }
  }

  /** The model has already used images of earlier turns. */
  private meetPrompt(walk: ContextWalk, block: number): void {
    const { blocks } = this.columns;
    const next = walk.arrival(block);
    if (next === undefined || walk.newImages.length === 0) {
      return;
    }
    const ofThisTurn: number[] = [];
    for (const image of walk.newImages) {
      if (blocks.message[image] === blocks.message[block]) {
        ofThisTurn.push(image);
        continue;
      }
      this.claims.add({
        kind: 'image',
        group: '',
        block: image,
        since: Math.max(next, (blocks.firstRequest[image] ?? 0) + lookedAt),
        share: 1,
        evidence: -1,
      });
    }
    walk.newImages = ofThisTurn;
  }

  /** A hook that says the same at every prompt. */
  private meetHook(walk: ContextWalk, block: number): void {
    const hook = this.facts.hooks.get(block);
    if (hook === undefined) {
      return;
    }
    const since = walk.arrival(block);
    const same = walk.hooks.get(hook);
    if (same === undefined || (since !== undefined && !isCarried(this.columns.blocks, same, since))) {
      walk.hooks.set(hook, block);
    } else if (since !== undefined) {
      const group = hookGroup;
      this.claims.add({ kind: 'repeatedInstructions', group, block, since, share: 1, evidence: same });
    }
  }

  private replace(walk: ContextWalk, family: string, block: number): void {
    const before = walk.snapshots.get(family);
    const since = walk.arrival(block);
    if (before !== undefined && since !== undefined) {
      this.claims.add({ kind: 'snapshot', group: '', block: before, since, share: 1, evidence: block });
    }
    walk.snapshots.set(family, block);
  }

  private addInstructions(numbers: readonly number[]): void {
    const key = numbers.map(block => this.columns.blocks.content[block] ?? block).join(' ');
    if (numbers.length === 0 || this.instructionsSeen.has(key)) {
      return;
    }
    this.instructionsSeen.add(key);
    const texts = numbers.map(block => ({ block, text: this.facts.instructions.get(block) ?? '' }));
    for (const { block, original, text } of repeatedWords(texts)) {
      if ((this.isOwn(block) || this.isOwn(original)) && !this.isSameFile(block, original)) {
        const whole = this.facts.tokensOf(this.facts.instructions.get(block) ?? '');
        const share = whole === 0 ? 0 : Math.min(1, this.facts.tokensOf(text) / whole);
        this.claims.add({
          kind: 'repeatedInstructions',
          group: '',
          block,
          since: 0,
          share,
          evidence: original,
        });
      }
    }
  }

  /** True if the agent itself sent one file twice: the user has only one place to change. */
  private isSameFile(one: number, other: number): boolean {
    const { blocks } = this.columns;
    if (one === other) {
      return false;
    }
    const [path, otherPath] = [blocks.path[one] ?? 0, blocks.path[other] ?? 0];
    if (path !== 0 && otherPath !== 0) {
      return path === otherPath;
    }
    const { instructions } = this.facts;
    const [text = '', otherText = ''] = [instructions.get(one), instructions.get(other)];
    const heading = firstLine(text);
    return namesFile.test(heading) && heading === firstLine(otherText);
  }

  private toolOf(block: number): string {
    return this.columns.strings.at(this.columns.blocks.tool[block] ?? 0) ?? '';
  }

  /** Tools of one server show one page. */
  private toolFamily(block: number): string {
    const tool = this.toolOf(block);
    return tool.includes('__') ? tool.slice(0, tool.lastIndexOf('__')) : tool;
  }

  private pathNumber(path: string): number | undefined {
    return path === '' ? undefined : entryOf(this.paths, path, () => this.paths.size + 1);
  }
}

const namesFile = /\/|\.md\b/;
/** The line with which a file of instructions begins, or the heading that the agent writes above it. */
const firstLine = (text: string): string => text.trimStart().split('\n', 1)[0] ?? '';

/** The content of a context so far. */
class ContextWalk {
  readonly readings = new Map<number, Reading[]>();
  readonly images = new Map<number, number>();
  readonly snapshots = new Map<string, number>();
  /** The first text of each hook, by its hash. */
  readonly hooks = new Map<number, number>();
  /** Images of the current turn. */
  newImages: number[] = [];

  constructor(
    private readonly columns: SessionColumns,
    private readonly context: number,
  ) {}

  /** The first request that contains a block; undefined if the block was added with another context or with none. */
  arrival(block: number): number | undefined {
    const first = this.columns.blocks.firstRequest[block] ?? -1;
    return first >= 0 && this.columns.requests.context[first] === this.context ? first : undefined;
  }
}
