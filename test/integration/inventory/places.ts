import { pagePlaces } from './pagePlaces';
import type { Place } from './rows';
import { panelPlaces } from './panelPlaces';
import { sessionPlaces } from './sessionPlaces';

/** Every state in which controls are looked for and used. */
export const places: readonly Place[] = [...pagePlaces, ...panelPlaces, ...sessionPlaces];
