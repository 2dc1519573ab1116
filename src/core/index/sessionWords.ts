import { enlarged } from '../base/enlarged';
import { lazy } from '../base/lazy';
import type { TextVisitor } from '../content/transcriptBuilder';
import { KnownSecrets } from '../sensitivity/knownSecrets';
import type { SensitivityFinding } from '../sensitivity/finding';
import { type MaskedRange, maskText } from '../sensitivity/maskText';
import { scanText } from '../sensitivity/scanTexts';
import type { SecretScanner } from '../sensitivity/scanner';
import { withoutHomeFolders } from '../sensitivity/homeFolder';
import type { MaskedPlace } from './blockTable';
import { DistinctWords } from './distinctWords';
import type { RuleCount } from './ruleCount';

/**
 * Maximum size of a session's texts that are kept until everything is scanned, in UTF-16 units. More texts are read
 * again.
 */
const mostKept = 1 << 24;
/** Size of a batch of words, in bytes. */
const bytesAtOnce = 1 << 20;

/** Words of blocks without credentials, see DistinctWords. */
export interface BlockWords {
  readonly blocks: readonly number[];
  /** The ends of the blocks' words. */
  readonly ends: readonly number[];
  readonly bytes: Uint8Array;
}

/** Collects the words of blocks. */
class WordParts {
  private blocks: number[] = [];
  private ends: number[] = [];
  private bytes: Uint8Array = new Uint8Array(0);

  get length(): number {
    return this.ends.at(-1) ?? 0;
  }

  add(block: number, words: Iterable<Uint8Array>): void {
    let end = this.length;
    for (const piece of words) {
      if (end + piece.length > this.bytes.length) {
        this.bytes = enlarged(Uint8Array, this.bytes, end + piece.length);
      }
      this.bytes.set(piece, end);
      end += piece.length;
    }
    this.blocks.push(block);
    this.ends.push(end);
  }

  /** Returns the words collected since the last call. */
  take(): BlockWords {
    const { blocks, ends, bytes } = this;
    [this.blocks, this.ends, this.bytes] = [[], [], new Uint8Array(0)];
    return { blocks, ends, bytes: bytes.slice(0, ends.at(-1) ?? 0) };
  }
}

/** Shared by all sessions that a thread reads. */
const distinctWords = lazy(() => new DistinctWords());

/**
 * The texts of a session for the index. A credential found in one text is removed from all texts, so they are passed on
 * only after all have been scanned.
 */
export class SessionWords {
  private queue: { readonly number: number; readonly text: string }[] = [];
  private readonly kept: { readonly number: number; readonly text: string }[] = [];
  private readonly dropped: number[] = [];
  private readonly found = new Map<number, readonly MaskedRange[]>();
  private readonly known = new KnownSecrets();
  private units = 0;
  readonly masked: MaskedPlace[] = [];
  private readonly rules = new Map<string, RuleCount>();

  constructor(private readonly scanner: SecretScanner) {}

  /** Equal texts are the same place in the index. */
  readonly visit: TextVisitor = ({ contentType, content }, number, first) => {
    if (contentType !== 'image' && first === number && content !== '') {
      this.queue.push({ number, text: content });
    }
  };

  /** Scans the visited texts. */
  readonly makeRoom = async (): Promise<void> => {
    const { queue } = this;
    this.queue = [];
    for (const each of queue) {
      const all = await scanText(each.text, this.scanner);
      this.countRules(all);
      const findings = all.filter(({ label }) => label === 'restricted');
      for (const { start, end, rule } of findings) {
        this.known.add(each.text.slice(start, end), rule);
      }
      if (findings.length > 0) {
        this.found.set(each.number, findings);
      }
      if (this.units + each.text.length <= mostKept) {
        this.units += each.text.length;
        this.kept.push(each);
      } else {
        this.dropped.push(each.number);
      }
    }
  };

  /** The number of different texts with findings, by rule. */
  get findings(): readonly RuleCount[] {
    return [...this.rules.values()];
  }

  /** The text of a block, if it is kept and this is its first block. */
  get keptText(): (block: number) => string | undefined {
    const texts = new Map(this.kept.map(({ number, text }) => [number, text]));
    return block => texts.get(block);
  }

  private countRules(found: readonly SensitivityFinding[]): void {
    for (const { rule, label } of withoutHomeFolders(found)) {
      this.rules.set(rule, { rule, label, count: (this.rules.get(rule)?.count ?? 0) + 1 });
    }
  }

  /** A name without the credentials found anywhere in the session. */
  readonly shown = async (name: string): Promise<string> =>
    this.without(
      name,
      (await scanText(name, this.scanner)).filter(({ label }) => label === 'restricted'),
    );

  /**
   * The words of all texts, after the session was read.
   * @param readAgain reads the texts of blocks that were too many to keep
   */
  async *words(
    readAgain: (
      blocks: readonly number[],
    ) => AsyncIterable<{ readonly block: number; readonly text: string }>,
  ): AsyncGenerator<BlockWords> {
    await this.makeRoom();
    const parts = new WordParts();
    const add = (number: number, text: string): void => {
      const ranges = this.rangesIn(text, this.found.get(number) ?? []);
      ranges.forEach(({ start, end, rule }) => this.masked.push({ block: number, start, end, rule }));
      parts.add(number, distinctWords().find(blanked(text, ranges)));
    };
    for (const { number, text } of this.kept) {
      add(number, text);
      if (parts.length >= bytesAtOnce) {
        yield parts.take();
      }
    }
    if (this.dropped.length > 0) {
      for await (const { block, text } of readAgain(this.dropped)) {
        add(block, text);
        if (parts.length >= bytesAtOnce) {
          yield parts.take();
        }
      }
    }
    yield parts.take();
  }

  private rangesIn(text: string, findings: readonly MaskedRange[]): readonly MaskedRange[] {
    const known = this.known.find(text);
    return known.length === 0
      ? findings
      : [...findings, ...known.map((place): MaskedRange => ({ ...place, label: 'restricted' }))];
  }

  private without(text: string, findings: readonly MaskedRange[]): string {
    return blanked(text, this.rangesIn(text, findings), '…');
  }
}

function blanked(text: string, ranges: readonly MaskedRange[], instead = ' '): string {
  return ranges.length === 0
    ? text
    : maskText(text, ranges)
        .map(segment => ('text' in segment ? segment.text : instead))
        .join('');
}
