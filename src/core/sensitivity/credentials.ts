import { type AnchoredDetector, anchoredScan, type Scanned } from './anchored';
import { authorizationHeader, sessionCookies } from './authorizationHeader';
import { commandCredentials } from './commandCredential';
import { credentialAssignment } from './credentialAssignment';
import { base64Texts, type DecodedText, writtenTexts } from './encodedText';
import { homeFolder } from './homeFolder';
import { nationalIdentifiers } from './nationalIdentifier';
import { passwordInOtherLanguages } from './otherLanguages';
import { privateKeyBlock, privateKeyMember } from './privateKeyBlock';
import { providerTokens } from './providerToken';
import type { SecretScanner } from './scanner';
import { dataSourcePassword, signedAddress, urlPassword } from './urlPassword';

/** Everything that opens something, by its form or by what stands beside it. */
export const credentialDetectors: readonly AnchoredDetector[] = [
  authorizationHeader,
  sessionCookies,
  ...commandCredentials,
  credentialAssignment,
  passwordInOtherLanguages,
  privateKeyBlock,
  privateKeyMember,
  ...providerTokens,
  dataSourcePassword,
  signedAddress,
  urlPassword,
];

const scanPlain = anchoredScan(credentialDetectors);

/** Data about persons that a literal or a word announces. */
const personalAnchors: readonly AnchoredDetector[] = [homeFolder, ...nationalIdentifiers];

/** One pass for the detectors and for the conditions of a scanner, by scanner. */
const scans = new WeakMap<SecretScanner, (text: string) => Scanned>();

/**
 * All credentials in a text, also those that are encoded once: in base64, or with characters written by number; for a
 * scanner also the data about persons that stands next to a literal or a word. With them the rules of another scanner whose conditions the text meets.
 */
export function credentialsIn(text: string, scanner?: SecretScanner): Scanned {
  const { findings, rules, runs } = scanOf(scanner)(text);
  const found = [...findings];
  for (const decoded of decodedTexts(text, runs)) {
    for (const finding of scanPlain(decoded.text).findings) {
      found.push({ ...finding, ...decoded.rangeOf(finding) });
    }
  }
  return { findings: found, rules, runs };
}

function scanOf(scanner: SecretScanner | undefined): (text: string) => Scanned {
  if (scanner === undefined) {
    return scanPlain;
  }
  const personal = scanner.personalData === false ? [] : personalAnchors;
  const known = scans.get(scanner) ?? anchoredScan([...credentialDetectors, ...personal], scanner.conditions);
  scans.set(scanner, known);
  return known;
}

function* decodedTexts(text: string, runs: readonly number[]): Generator<DecodedText> {
  yield* writtenTexts(text);
  yield* base64Texts(text, runs);
}
