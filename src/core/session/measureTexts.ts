import type { Encoding } from '../model/modelRow';
import { sensitivityLabels } from '../model/labels';
import type { SecretScanner } from '../sensitivity/scanner';
import { scanText, worstLabel } from '../sensitivity/scanTexts';
import { loadTokenizer } from '../tokens/bytePairTokenizer';

/** A text that is to be counted, searched for what is sensitive, or both. */
export interface TextToMeasure {
  readonly text: string;
  /** What goes over the wire before it: it is counted with the text, and not searched. */
  readonly before: string;
  readonly count: boolean;
  readonly scan: boolean;
}

export interface MeasureOrder {
  readonly encoding: Encoding;
  readonly texts: readonly TextToMeasure[];
}

/** What was found out about the texts of an order, one after the other; 0 where it was not asked for. */
export interface MeasuredTexts {
  readonly tokens: Uint32Array;
  /** Index into sensitivityLabels, and the number of findings. */
  readonly sensitivity: Uint8Array;
  readonly findings: Uint16Array;
  /** What is sensitive in the texts that hold such a thing, by the text's place in the order. */
  readonly secrets: ReadonlyMap<number, readonly string[]>;
}

/** Measures texts beside the thread that reads them. */
export interface TextMeasurer {
  /** Whether an order would be begun at once. */
  readonly isReady: boolean;
  /** Gives what `measureTexts` gives. Rejects where it cannot, or cannot any more. */
  measure(order: MeasureOrder): Promise<MeasuredTexts>;
}

export async function measureTexts(
  { encoding, texts }: MeasureOrder,
  scanner: SecretScanner,
): Promise<MeasuredTexts> {
  const tokens = new Uint32Array(texts.length);
  const sensitivity = new Uint8Array(texts.length);
  const findings = new Uint16Array(texts.length);
  const secrets = new Map<number, readonly string[]>();
  const tokenizer = texts.some(({ count }) => count) ? await loadTokenizer(encoding) : undefined;
  for (const [place, { text, before, count, scan }] of texts.entries()) {
    if (count) {
      tokens[place] = tokenizer?.count(before + text) ?? 0;
    }
    const found = scan ? await scanText(text, scanner) : [];
    if (found.length > 0) {
      sensitivity[place] = sensitivityLabels.indexOf(worstLabel(found));
      findings[place] = Math.min(found.length, 0xffff);
      secrets.set(
        place,
        found.map(({ start, end }) => text.slice(start, end)),
      );
    }
  }
  return { tokens, sensitivity, findings, secrets };
}
