import { breakdownPlaces } from './breakdownPlaces';
import { keyPlaces } from './keyPlaces';
import { pagePlaces } from './pagePlaces';
import { panelPlaces } from './panelPlaces';
import type { Place } from './rows';
import { sessionPlaces } from './sessionPlaces';

/** Every state in which controls are looked for and used. */
export const places: readonly Place[] = [
  ...pagePlaces,
  ...breakdownPlaces,
  ...panelPlaces,
  ...keyPlaces,
  ...sessionPlaces,
];
