import { scanText } from '../../src/core/sensitivity/scanTexts';
import { secretScanner } from '../../src/node/secrets/secretScannerOnDemand';
import { plantedCredentials } from '../fixtures/plantedCredentials';

/** An invented credential. */
export interface Credential {
  readonly kind: string;
  /** The form in the transcript, with the surroundings that make it recognisable. */
  readonly text: string;
  /** The secret itself. No output may contain it. */
  readonly secret: string;
}

/** The same in every run, so that a saved input is enough to repeat a run. */
const all = plantedCredentials(20_261_122, 400);

/** Keys whose values are always secret. */
export const secretKeys: readonly string[] = [
  'password',
  'api_key',
  'apiKey',
  'client_secret',
  'access_token',
];

/** A value that only its key makes recognisable. */
export const keyedSecret: Credential = {
  kind: 'value under a secret key',
  text: 'Vq7!rT2mXk9wLb4z',
  secret: 'Vq7!rT2mXk9wLb4z',
};

/**
 * The credentials that the scanner finds when they are alone. Others would only be reported again for every output; the
 * tests of the detectors cover them.
 */
export async function foundCredentials(): Promise<readonly Credential[]> {
  const found: Credential[] = [];
  for (const credential of all) {
    const { text, secret } = credential;
    const start = text.indexOf(secret);
    const findings = await scanText(text, secretScanner);
    if (findings.some(finding => finding.start <= start && finding.end >= start + secret.length)) {
      found.push(credential);
    }
  }
  return found;
}
