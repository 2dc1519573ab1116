import { bankAccount } from './bankAccount';
import { credentialsIn } from './credentials';
import type { Detector } from './detector';
import { emailAddress } from './emailAddress';
import { paymentCard } from './paymentCard';
import { phoneNumber } from './phoneNumber';

/** What says something about a person. */
export const personalDetectors: readonly Detector[] = [bankAccount, emailAddress, paymentCard, phoneNumber];

/** What the program itself looks for, in addition to a secret scanner's rules. */
export const detectors: readonly Detector[] = [
  { rule: 'credential', scan: text => credentialsIn(text).findings },
  ...personalDetectors,
];
