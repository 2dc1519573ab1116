import { translate } from '../base/translate';
import type { WasteKind } from './wasteKinds';

/** The name of each kind in a list of kinds. */
export const wasteKindWords: Readonly<Record<WasteKind, string>> = {
  unusedServer: translate('Servers never called'),
  unusedTools: translate('Tools never called'),
  readAgain: translate('Files read again, unchanged'),
  staleReading: translate('Stale file reads'),
  unusedResult: translate('Unused results'),
  image: translate('Images kept in the context'),
  snapshot: translate('Outdated page snapshots'),
  repeatedInstructions: translate('Duplicate instructions'),
  noisyOutput: translate('Output that a flag can avoid'),
};
