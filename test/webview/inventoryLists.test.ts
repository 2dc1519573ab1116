import { comparePlaces } from './inventory/comparePlaces';
import { searchPlace } from './inventory/searchPlaces';
import { sessionPlaces } from './inventory/sessionPlaces';
import { useControlsOf } from './inventory/useAll';
import { usagePlaces } from './inventory/usagePlaces';

useControlsOf([...sessionPlaces, ...usagePlaces, searchPlace, ...comparePlaces]);
