import { scanText } from '../../src/core/sensitivity/scanTexts';
import { credentialScanner } from '../../src/node/secrets/secretScannerOnDemand';

/** A line of the planted set. Without secrets, the text is harmless. */
export interface PlantedText {
  readonly id: number;
  readonly kind: string;
  readonly text: string;
  readonly secrets: readonly string[];
}

/** A finding of a credential in a text. */
export interface FoundSecret {
  readonly rule: string;
  readonly start: number;
  readonly end: number;
}

/** The credentials in a text. */
export async function secretsIn(text: string): Promise<readonly FoundSecret[]> {
  const found = await scanText(text, credentialScanner);
  return found.filter(({ label }) => label === 'restricted');
}

/** True if every secret of a text is covered whole, wherever it stands in the text. */
export function isCovered({ text, secrets }: PlantedText, found: readonly FoundSecret[]): boolean {
  return secrets.every(secret => {
    for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
      if (!found.some(({ start, end }) => start <= at && end >= at + secret.length)) {
        return false;
      }
    }
    return true;
  });
}
