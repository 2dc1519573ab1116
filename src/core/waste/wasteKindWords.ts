import { translate } from '../base/translate';
import type { WasteKind } from './wasteKinds';

/** What each kind is called in a list of kinds. */
export const wasteKindWords: Readonly<Record<WasteKind, string>> = {
  unusedServer: translate('Servers never called'),
  unusedTools: translate('Tools never called'),
  readAgain: translate('Files read again, unchanged'),
  staleReading: translate('Readings that went stale'),
  unusedResult: translate('Results that nothing refers to'),
  image: translate('Pictures carried along'),
  snapshot: translate('Page snapshots, replaced later'),
  repeatedInstructions: translate('Instructions that say the same twice'),
  noisyOutput: translate('Output that a flag leaves out'),
};
