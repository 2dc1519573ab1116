import type { Address } from '../app/address';
import { TranscriptDocument, type DocumentTools } from '../app/transcript/transcriptDocument';

/** A document without a page is kept this long, in milliseconds: a page that is loaded again finds it. */
const keptMilliseconds = 30_000;

interface Held {
  readonly document: TranscriptDocument;
  pages: number;
  end: NodeJS.Timeout | undefined;
}

/** The open transcripts. Each file has one document and one worker, even with several pages. */
export class Documents {
  private readonly held = new Map<Address, Held>();

  constructor(private readonly tools: DocumentTools) {}

  /** Begins to read a file before a page shows it. */
  begin(address: Address): void {
    this.hold(address);
  }

  /** The document of a page, until the page releases it. */
  take(address: Address): { readonly document: TranscriptDocument; readonly release: () => void } {
    const held = this.hold(address);
    held.pages += 1;
    clearTimeout(held.end);
    return {
      document: held.document,
      release: () => {
        held.pages -= 1;
        if (held.pages === 0) {
          held.end = setTimeout(() => this.drop(address), keptMilliseconds);
          held.end.unref();
        }
      },
    };
  }

  modelsChanged(): void {
    this.held.forEach(({ document }) => document.modelsChanged());
  }

  dispose(): void {
    [...this.held.keys()].forEach(address => this.drop(address));
  }

  private hold(address: Address): Held {
    const known = this.held.get(address);
    if (known !== undefined) {
      return known;
    }
    const document = new TranscriptDocument(address, this.tools);
    const held: Held = { document, pages: 0, end: undefined };
    this.held.set(address, held);
    document.open();
    return held;
  }

  private drop(address: Address): void {
    const held = this.held.get(address);
    this.held.delete(address);
    clearTimeout(held?.end);
    held?.document.dispose();
  }
}
