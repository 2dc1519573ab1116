/** Entry of the bundle that is loaded when a model is first asked. */
export { countBlocks } from './countBlocks';
export { createTarget, replayLine } from './modelTarget';
