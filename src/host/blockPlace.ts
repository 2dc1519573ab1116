import * as v from 'valibot';
import type { BlockPlace } from '../protocol/workerMessages';

const blockPlace: v.GenericSchema<unknown, BlockPlace> = v.object({
  line: v.number(),
  offset: v.number(),
  length: v.number(),
  path: v.exactOptional(v.string()),
  workingDirectory: v.exactOptional(v.string()),
});

/** The worker's answer to `place`; answers of all questions cross as one type. Throws for anything else. */
export function readBlockPlace(value: unknown): BlockPlace {
  return v.parse(blockPlace, value);
}
