import { LLMock } from '@copilotkit/aimock';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { arrayAt, member, parseJson, stringAt } from '../../src/core/base/json';
import { nextReply } from './scenario';

/** A request as an agent sent it. */
export interface ReceivedRequest {
  readonly path: string;
  readonly body: unknown;
}

export interface ScriptedServer {
  readonly url: string;
  readonly received: ReceivedRequest[];
  stop(): Promise<void>;
}

/**
 * A server on this machine for the Anthropic, chat, Responses and Gemini protocols. It plays the model after the scenario,
 * and keeps every body as it came in.
 * @param folder where the agent works
 */
export async function startServer(folder: string): Promise<ScriptedServer> {
  const schemas = new Map<string, unknown>();
  const mock = new LLMock({ port: 0, logLevel: 'silent' });
  mock.on({}, request => {
    const { content, toolCalls } = nextReply(request, folder, schemas);
    return toolCalls.length === 0 ? { content } : { content, toolCalls: [...toolCalls] };
  });
  await mock.start();
  const target = new URL(mock.url);
  const received: ReceivedRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const body = parseJson(bytes.toString());
      const path = incoming.url ?? '';
      if (body !== undefined) {
        received.push({ path, body });
        schemasOf(body).forEach(([name, schema]) => schemas.set(name, schema));
      }
      if (/count_?tokens/i.test(path)) {
        // Neither protocol's count is part of the mock.
        outgoing.setHeader('content-type', 'application/json');
        outgoing.end(JSON.stringify({ input_tokens: 1000, totalTokens: 1000 }));
      } else if (incoming.method === 'GET' && path.endsWith('/models')) {
        const model = { id: 'scripted', object: 'model', created: 0, owned_by: 'test' };
        outgoing.setHeader('content-type', 'application/json');
        outgoing.end(JSON.stringify({ object: 'list', data: [model], models: [] }));
      } else {
        pass(incoming, outgoing, target, bytes);
      }
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await mock.stop();
    },
  };
}

/** The schemas of tools in a newer member of the Gemini API, which the mock does not know. */
function schemasOf(body: unknown): readonly (readonly [string, unknown])[] {
  return arrayAt(body, 'tools')
    .flatMap(tool => arrayAt(tool, 'functionDeclarations'))
    .map(tool => [stringAt(tool, 'name') ?? '', member(tool, 'parametersJsonSchema')] as const)
    .filter(([, schema]) => schema !== undefined);
}

function pass(incoming: IncomingMessage, outgoing: ServerResponse, target: URL, body: Buffer): void {
  const {
    'content-length': _,
    'transfer-encoding': __,
    'content-encoding': ___,
    ...headers
  } = incoming.headers;
  const request = forward(
    {
      host: target.hostname,
      port: target.port,
      path: incoming.url,
      method: incoming.method,
      headers: { ...headers, host: target.host, 'content-length': body.length },
    },
    answer => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    },
  );
  request.on('error', error => {
    outgoing.writeHead(502);
    outgoing.end(stringAt(error, 'message'));
  });
  request.end(body);
}
