// Lets a test in the extension host control the page around it, as a user would.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import { json } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';

/**
 * Starts an HTTP end point on 127.0.0.1. A POST of `{ action, argument }` calls `action`, the source text of a function, with
 * `window()` and `argument`, and answers `{ result }` or `{ error }`. The address contains a secret, because it can be used to run code.
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
      answer = { result: await new Function(`return (${action})`)()(window(), argument) };
    } catch (error) {
      answer = { error: stripVTControlCharacters(error instanceof Error ? error.message : String(error)) };
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { address: `http://127.0.0.1:${server.address().port}${secret}`, stop: () => server.close() };
}
