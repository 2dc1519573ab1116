import { once } from 'node:events';
import type {
  CallToolResult,
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import type { ContextTool } from '../../core/contextTools/contextTool';
import { contextTools } from '../../core/contextTools/contextTools';
import { objectAt, stringAt } from '../../core/base/json';
import { callIdsOf } from './callIds';
import type { Caller } from './callersSession';
import { pageOf, SessionTools } from './toolAnswers';
import type * as sdkModule from './sdk';

type Sdk = typeof sdkModule;

const instructions =
  'Shows what is in your own context window, what it costs, and what was lost from it. Read-only; nothing leaves this machine.';

const clientInfoMember = 'io.modelcontextprotocol/clientInfo';

/** Checked when a tool is called. In the schema, which every request of the agent carries, they would only cost tokens. */
const limits = ['min_length', 'max_length', 'min_value', 'max_value'];

/**
 * Answers questions about contexts over the standard input and output, until the input ends.
 * @param places the folders in which the agent works, absolute, and those that the user added
 */
export async function serveContextTools(places: Pick<Caller, 'folders' | 'added'>): Promise<void> {
  const sdk = await import('./sdk');
  const tools = new SessionTools();
  const handle = sdk.serveStdio(() => serverOf(sdk, tools, places));
  await once(process.stdin, 'close');
  await Promise.allSettled([handle.close(), tools.close()]);
}

function serverOf(sdk: Sdk, tools: SessionTools, places: Pick<Caller, 'folders' | 'added'>): McpServer {
  const server = new sdk.McpServer(
    { name: 'context-inspector', version: process.env['PROGRAM_VERSION'] ?? '' },
    { instructions, capabilities: { tools: {} } },
  );
  for (const tool of contextTools) {
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.description,
        inputSchema: schemaOf(sdk, tool),
        annotations: { readOnlyHint: true, openWorldHint: false },
      },
      async (params, { mcpReq }): Promise<CallToolResult> => {
        // oxlint-disable-next-line typescript/no-deprecated -- older clients say their name only once
        const client = clientOf(mcpReq) ?? server.server.getClientVersion()?.name ?? '';
        const ids = callIdsOf(mcpReq._meta, client, process.env);
        const answer = await tools.answer(tool, params, {
          ...places,
          started: performance.timeOrigin,
          client,
          ids,
        });
        const content = [{ type: 'text' as const, text: await pageOf(answer, params) }];
        return answer.isError ? { content, isError: true } : { content };
      },
    );
  }
  return server;
}

/** The name of a client that sends it with every call, as the protocol has it since 2026-07-28. */
const clientOf = ({ envelope }: ServerContext['mcpReq']): string | undefined =>
  stringAt(objectAt(envelope, clientInfoMember), 'name');

/** The parameters of a tool, to check them and to describe them. */
function schemaOf({ toJsonSchema }: Sdk, { params }: ContextTool): StandardSchemaWithJSON {
  const { $schema: _, ...described } = toJsonSchema(params, { ignoreActions: limits });
  const { version, vendor, validate } = params['~standard'];
  const json = (): Record<string, unknown> => described;
  return { '~standard': { version, vendor, validate, jsonSchema: { input: json, output: json } } };
}
