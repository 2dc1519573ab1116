/** Pause between sentences about progress, in milliseconds. */
const pause = 3000;

/** Says how far work has come, but not too often. */
export class ProgressNotices {
  private last = Date.now();
  private saying = Promise.resolve();

  /** @param notice prints a sentence, which ends with a line break */
  constructor(private readonly notice: (sentence: string) => Promise<void>) {}

  note(sentence: () => string): void {
    if (Date.now() - this.last > pause) {
      this.last = Date.now();
      const text = sentence();
      this.saying = this.saying.then(() => this.notice(`${text}\n`));
    }
  }

  /** Resolves when all was said. */
  end(): Promise<void> {
    return this.saying;
  }
}
