/** The entry of the bundle that is loaded when a model is asked for the first time, and not before. */
export { countBlocks } from './countBlocks';
export { createTarget, replayLine } from './modelTarget';
