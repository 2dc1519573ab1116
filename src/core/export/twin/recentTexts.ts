/** Minimum length of a remembered text, in UTF-16 units. Shorter ones are made again just as fast. */
const leastRemembered = 100;
/** UTF-16 units of texts that are remembered. */
const mostRemembered = 2 ** 23;

/** The twins of the most recent texts, because agents write many texts several times. */
export class RecentTexts {
  private readonly texts = new Map<string, string>();
  private remembered = 0;

  get(text: string): string | undefined {
    return text.length < leastRemembered ? undefined : this.texts.get(text);
  }

  set(text: string, made: string): void {
    if (text.length >= leastRemembered && text.length <= mostRemembered) {
      this.remembered += text.length + made.length;
      if (this.remembered > mostRemembered) {
        this.texts.clear();
        this.remembered = text.length + made.length;
      }
      this.texts.set(text, made);
    }
  }
}
