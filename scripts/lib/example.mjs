// The transcript that `npm start` and `npm run screenshots` show.
import { join } from 'node:path';
import { root } from './packages.mjs';

/** The folder that is opened as workspace. */
export const exampleFolder = join(root, 'media', 'example');

/** The development-only extension that opens the transcript in it. */
export const openExampleExtension = join(root, 'scripts', 'openExample');
