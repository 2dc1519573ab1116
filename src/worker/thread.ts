import { runBundle } from '../node/codeCache';

// Runs the bundle that the first word names, with its code from the folder that the second one names.
const [bundle, folder] = process.argv.slice(2);
if (bundle !== undefined && folder !== undefined) {
  runBundle(bundle, folder);
}
