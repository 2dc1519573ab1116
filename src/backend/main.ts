/** Entry of the bundle that is loaded for the first request to a model. */
export { countBlocks } from './countBlocks';
export { createTarget, replayLine } from './modelTarget';
