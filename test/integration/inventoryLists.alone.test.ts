import { comparePlaces } from './inventory/comparePlaces';
import { searchPlace } from './inventory/searchPlaces';
import { sessionPlaces } from './inventory/sessionPlaces';
import { usagePlaces } from './inventory/usagePlaces';
import { useControlsOf } from './inventory/useAll';

useControlsOf([...sessionPlaces, ...usagePlaces, searchPlace, ...comparePlaces]);
