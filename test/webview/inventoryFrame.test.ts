import { framePlaces } from './inventory/framePlaces';
import { useControlsOf } from './inventory/useAll';

useControlsOf(framePlaces);
