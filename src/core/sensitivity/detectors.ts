import { authorizationHeader } from './authorizationHeader';
import { bankAccount } from './bankAccount';
import { credentialAssignment } from './credentialAssignment';
import type { Detector } from './detector';
import { emailAddress } from './emailAddress';
import { environmentLine } from './environmentLine';
import { paymentCard } from './paymentCard';
import { phoneNumber } from './phoneNumber';
import { privateKeyBlock } from './privateKeyBlock';
import { providerToken } from './providerToken';

/**
 * What the program itself looks for, in addition to a secret scanner's rules. Left out on purpose: IP addresses (version
 * numbers look the same) and user names in home directories (nearly every tool call of a coding session has one, so the
 * label would mean nothing).
 */
export const detectors: readonly Detector[] = [
  authorizationHeader,
  bankAccount,
  credentialAssignment,
  emailAddress,
  environmentLine,
  paymentCard,
  phoneNumber,
  privateKeyBlock,
  providerToken,
];
