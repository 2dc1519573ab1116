// @claude-sessions/core reads one session. Arguments: the folder that it is installed in, the project, the session.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, project, session] = process.argv.slice(2);
const resolve = createRequire(
  join(folder, 'node_modules', '@claude-sessions', 'core', 'package.json'),
).resolve;
const load = async name => import(pathToFileURL(resolve(name)).href);
const { readSession } = await load('@claude-sessions/core');
const { Effect } = await load('effect');
const messages = await Effect.runPromise(readSession(project, session));
process.stdout.write(`${messages.length}\n`);
