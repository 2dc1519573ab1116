import { keyPlaces } from './inventory/keyPlaces';
import { panelPlaces } from './inventory/panelPlaces';
import { useControlsOf, useKeys } from './inventory/useAll';

useControlsOf([...panelPlaces, ...keyPlaces]);
useKeys();
