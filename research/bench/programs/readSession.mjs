// @claude-sessions/core reads one session. Arguments: the folder where it is installed, the project, the session.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, project, session] = process.argv.slice(2);
// The package declares no entry for `require` that a path from here could be resolved by.
const load = (...path) => import(pathToFileURL(join(folder, 'node_modules', ...path)).href);
const { readSession } = await load('@claude-sessions', 'core', 'dist', 'index.js');
const { Effect } = await load('effect', 'dist', 'esm', 'index.js');
const messages = await Effect.runPromise(readSession(project, session));
process.stdout.write(`${messages.length}\n`);
