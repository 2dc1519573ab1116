import { breakdownPlaces } from './breakdownPlaces';
import { comparePlaces } from './comparePlaces';
import { framePlaces } from './framePlaces';
import { keyPlaces } from './keyPlaces';
import { pagePlaces } from './pagePlaces';
import { panelPlaces } from './panelPlaces';
import type { Place } from './rows';
import { searchPlace } from './searchPlaces';
import { sessionPlaces } from './sessionPlaces';
import { usagePlaces } from './usagePlaces';

/** Every state in which controls are searched and used. */
export const places: readonly Place[] = [
  ...pagePlaces,
  ...breakdownPlaces,
  ...panelPlaces,
  ...keyPlaces,
  ...sessionPlaces,
  ...usagePlaces,
  searchPlace,
  ...comparePlaces,
  ...framePlaces,
];
