// Lets a test in the extension host control the page around it, as a user would.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';

/** Calls `holds` repeatedly until it resolves with true. Throws an error that names `what` if that takes too long. */
async function until(what, holds, milliseconds = 90_000) {
  for (const end = Date.now() + milliseconds; !(await holds()); await sleep(20)) {
    if (Date.now() > end) {
      throw new Error(`Waited ${milliseconds} ms in vain: ${what}.`);
    }
  }
}

/**
 * Starts an HTTP end point on 127.0.0.1. A POST of `{ action, argument }` calls `action`, the source text of a function, with
 * `window()`, to which it adds `until`, and with `argument`, and answers `{ result }` or `{ error }`. The address contains a secret, because it can be used to run code.
 */
export async function startBridge(window) {
  const secret = `/${randomUUID()}`;
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST' || request.url !== secret) {
      response.writeHead(404).end();
      return;
    }
    let answer;
    try {
      const { action, argument } = await json(request);
      answer = { result: await new Function(`return (${action})`)()({ ...window(), until }, argument) };
    } catch (error) {
      answer = { error: stripVTControlCharacters(error instanceof Error ? error.message : String(error)) };
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { address: `http://127.0.0.1:${server.address().port}${secret}`, stop: () => server.close() };
}
