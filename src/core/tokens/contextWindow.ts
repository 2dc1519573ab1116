import { lookUpModel, type ModelLookUp } from './modelTable';

/** A context larger than a model's known window means that the model ran with its large window. */
const largeWindow = 1_000_000;

/**
 * The context window of a model in tokens; undefined if it is not known.
 * @param most the largest recorded input of the session's requests with this model, in tokens
 */
export function contextWindowFor(
  model: string,
  most: number,
  lookUp: ModelLookUp = lookUpModel,
): number | undefined {
  const known = lookUp(model)?.contextWindow;
  if (known === undefined || most <= known) {
    return known;
  }
  return most <= largeWindow ? largeWindow : undefined;
}
