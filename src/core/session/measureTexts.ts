import type { Block } from '../model/block';
import { sensitivityLabels } from '../model/labels';
import type { Encoding } from '../model/modelRow';
import { withoutHomeFolders } from '../sensitivity/homeFolder';
import { scanText, worstLabel } from '../sensitivity/scanTexts';
import type { SecretScanner } from '../sensitivity/scanner';
import { loadTokenizer } from '../tokens/bytePairTokenizer';

/** Bits of `MeasureOrder.steps`. */
export const measureSteps = { count: 1, scan: 2 } as const;

/** Texts to be counted, searched for sensitive data, or both; one entry for each text. */
export interface MeasureOrder {
  readonly encoding: Encoding;
  readonly texts: readonly string[];
  /** The characters sent before each text. They are counted with the text, but not searched. */
  readonly before: readonly string[];
  /** Bits of `measureSteps`. */
  readonly steps: readonly number[];
}

/** The results for the texts of an order, in their order; 0 if a step was not requested. */
export interface MeasuredTexts {
  readonly tokens: Uint32Array;
  /** Index into sensitivityLabels, and the number of findings. */
  readonly sensitivity: Uint8Array;
  readonly findings: Uint16Array;
  /** The sensitive parts of the texts that have any, by the text's place in the order. */
  readonly secrets: ReadonlyMap<number, readonly string[]>;
}

/** Measures texts in another thread. */
export interface TextMeasurer {
  /** True if an order would be started right away. */
  readonly isReady: boolean;
  /** Returns the same results as `measureTexts`. Rejects if the helper cannot work or has ended. */
  measure(order: MeasureOrder): Promise<MeasuredTexts>;
}

/** Text sent before the text of a block: a call's name precedes its arguments. */
export function sentBefore(block: Pick<Block, 'kind'> & { readonly toolName?: string | undefined }): string {
  return block.kind === 'toolCall' ? `${block.toolName ?? ''} ` : '';
}

export async function measureTexts(
  { encoding, texts, before, steps }: MeasureOrder,
  scanner: SecretScanner,
): Promise<MeasuredTexts> {
  const tokens = new Uint32Array(texts.length);
  const sensitivity = new Uint8Array(texts.length);
  const findings = new Uint16Array(texts.length);
  const secrets = new Map<number, readonly string[]>();
  const counts = steps.some(bits => (bits & measureSteps.count) !== 0);
  const tokenizer = counts ? await loadTokenizer(encoding) : undefined;
  for (const [place, text] of texts.entries()) {
    const bits = steps[place] ?? 0;
    if ((bits & measureSteps.count) !== 0) {
      tokens[place] = tokenizer?.count((before[place] ?? '') + text) ?? 0;
    }
    if ((bits & measureSteps.scan) === 0) {
      continue;
    }
    const found = withoutHomeFolders(await scanText(text, scanner));
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
