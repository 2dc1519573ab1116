import { scanText } from '../../src/core/sensitivity/scanTexts';
import { secretScanner } from '../../src/node/secrets/secretScannerOnDemand';
import { plantedCredentials } from '../fixtures/plantedCredentials';

/** An invented credential. */
export interface Credential {
  readonly kind: string;
  /** As it is written into a transcript, with what makes it recognisable around it. */
  readonly text: string;
  /** The secret itself: no output may hold it. */
  readonly secret: string;
}

/** The same in every run, so that a saved input needs nothing beside it. */
const all = plantedCredentials(20_261_122, 400);

/** Keys whose values are secret whatever they look like. */
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
 * The credentials that the scanner finds when they stand alone. Others would only show again in every output that they
 * are not found; the tests of the detectors are about them.
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
