import { type AnchoredDetector, anchoredScans, nothingFound, type Scanned } from './anchored';
import { authorizationHeader, jarCookie, namedSessionCookie, sessionCookies } from './authorizationHeader';
import { bankAccount } from './bankAccount';
import { columnSecret, copiedSecret, insertedSecret } from './columnSecret';
import { commandCredentials } from './commandCredential';
import { credentialAssignment, shortNameAssignment } from './credentialAssignment';
import { emailAddress } from './emailAddress';
import { base64Texts, type DecodedText, writtenTexts } from './encodedText';
import { homeFolder } from './homeFolder';
import { kubernetesSecret } from './kubernetesSecret';
import { namedTokens } from './namedToken';
import { nationalIdentifiers } from './nationalIdentifier';
import { passwordInOtherLanguages } from './otherLanguages';
import { paymentCard } from './paymentCard';
import { phoneNumber } from './phoneNumber';
import { privateKeyBlock, privateKeyMember } from './privateKeyBlock';
import {
  mentionedToken,
  passwordOfPair,
  printedSecret,
  privateKeyRest,
  secondOfPair,
  sentAnswer,
  shortCode,
} from './promptAnswer';
import { discordToken, providerTokens } from './providerToken';
import type { SensitivityFinding } from './finding';
import type { SecretScanner } from './scanner';
import { hasHidden, shownTexts } from './shownText';
import { wrappedTexts } from './wrappedText';
import { dataSourcePassword, passwordFileLine, signedAddress, urlPassword } from './urlPassword';

/** All credentials, recognised by their form or by the text next to them. */
export const credentialDetectors: readonly AnchoredDetector[] = [
  authorizationHeader,
  sessionCookies,
  namedSessionCookie,
  jarCookie,
  ...commandCredentials,
  credentialAssignment,
  shortNameAssignment,
  columnSecret,
  insertedSecret,
  copiedSecret,
  printedSecret,
  privateKeyRest,
  secondOfPair,
  passwordOfPair,
  mentionedToken,
  sentAnswer,
  shortCode,
  passwordInOtherLanguages,
  privateKeyBlock,
  privateKeyMember,
  ...providerTokens,
  discordToken,
  ...namedTokens,
  kubernetesSecret,
  dataSourcePassword,
  passwordFileLine,
  signedAddress,
  urlPassword,
];

/** Personal data recognised by its form alone. */
export const personalDetectors: readonly AnchoredDetector[] = [
  bankAccount,
  emailAddress,
  paymentCard,
  phoneNumber,
];

const scanPlain = anchoredScans([...credentialDetectors, ...personalDetectors]);

/** Personal data announced by a literal or a word. */
export const announcedDetectors: readonly AnchoredDetector[] = [homeFolder, ...nationalIdentifiers];

type Scans = ReturnType<typeof anchoredScans>;

/** One pass for the detectors and for the conditions of another scanner, by scanner. */
const scans = new WeakMap<SecretScanner, Scans>();

/**
 * All credentials in a text, including those encoded (base64 up to twice, characters written by number, lines broken by
 * a terminal), and the personal data that the scanner wants. Also the rules of the other scanner whose conditions are met by the text.
 * @param scanner if missing, the names of home folders and national numbers are left out
 */
export function sensitiveIn(text: string, scanner?: SecretScanner): Scanned {
  const [scanned] = sensitiveInEach([text], scanner);
  return scanned ?? nothingFound;
}

/** The same for several texts in one pass. Each is judged by itself alone. */
export function sensitiveInEach(given: readonly string[], scanner?: SecretScanner): readonly Scanned[] {
  const scan = scanOf(scanner);
  // What is separated so, as a process' environment, is a line.
  const texts = given.map(text => text.replaceAll('\0', '\n'));
  return scan(texts).map((scanned, index) => {
    const { written, run } = scanned.places;
    if (written === undefined && run === undefined && !hasHidden(texts[index] ?? '')) {
      return scanned;
    }
    const found: SensitivityFinding[] = [];
    for (const decoded of decodedTexts(texts[index] ?? '', scanned)) {
      const inner = scan([decoded.text])[0] ?? nothingFound;
      const findings = [...inner.findings];
      for (const twice of base64Texts(decoded.text, inner.places.run)) {
        for (const finding of scan([twice.text])[0]?.findings ?? []) {
          findings.push({ ...finding, ...twice.rangeOf(finding) });
        }
      }
      for (const finding of findings) {
        if (isCredential(finding) && (decoded.counts?.(finding) ?? true)) {
          found.push({ ...finding, ...decoded.rangeOf(finding) });
        }
      }
    }
    return found.length === 0
      ? scanned
      : { rules: scanned.rules, places: scanned.places, findings: [...scanned.findings, ...found] };
  });
}

export function isCredential({ label }: Pick<SensitivityFinding, 'label'>): boolean {
  return label === 'restricted';
}

function scanOf(scanner: SecretScanner | undefined): Scans {
  if (scanner === undefined) {
    return scanPlain;
  }
  const personal = scanner.personalData === false ? [] : [...announcedDetectors, ...personalDetectors];
  const known =
    scans.get(scanner) ?? anchoredScans([...credentialDetectors, ...personal], scanner.conditions);
  scans.set(scanner, known);
  return known;
}

function* decodedTexts(text: string, { places }: Scanned): Generator<DecodedText> {
  yield* writtenTexts(text, places.written);
  yield* base64Texts(text, places.run);
  yield* wrappedTexts(text, places.run);
  yield* shownTexts(text);
}
