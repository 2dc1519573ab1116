import { breakdownPlaces } from './inventory/breakdownPlaces';
import { pagePlaces } from './inventory/pagePlaces';
import { useControlsOf } from './inventory/useAll';

useControlsOf([...pagePlaces, ...breakdownPlaces]);
