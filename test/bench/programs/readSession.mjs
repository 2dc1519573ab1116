// @claude-sessions/core reads one session. Arguments: the folder that it is installed in, the project, the session.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, project, session] = process.argv.slice(2);
// Its package names no entry for `require`, by which a path from here could be resolved.
const load = (...path) => import(pathToFileURL(join(folder, 'node_modules', ...path)).href);
const { readSession } = await load('@claude-sessions', 'core', 'dist', 'index.js');
const { Effect } = await load('effect', 'dist', 'esm', 'index.js');
const messages = await Effect.runPromise(readSession(project, session));
process.stdout.write(`${messages.length}\n`);
