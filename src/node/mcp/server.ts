import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  CallToolResult,
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import { pictureMember } from '../../core/contextTools/contextPicture';
import type { ContextTool } from '../../core/contextTools/contextTool';
import { contextTools } from '../../core/contextTools/contextTools';
import { arrayAt, objectAt, stringAt } from '../../core/base/json';
import { callIdsOf } from './callIds';
import type { Caller } from './callersSession';
import type { AnsweredPlaces } from './folderRule';
import { MessageLines } from './messageLines';
import { picturePage, pictureUri } from './picturePage';
import { pageOf, SessionTools } from './toolAnswers';
import type * as sdkModule from './sdk';

type Sdk = typeof sdkModule;

const instructions =
  'Shows what is in your own context window, what it costs, and what was lost from it. Read-only; nothing leaves this machine.';

const clientInfoMember = 'io.modelcontextprotocol/clientInfo';
const clientCapabilitiesMember = 'io.modelcontextprotocol/clientCapabilities';

/** Checked when a tool is called. In the schema, which every request of the agent carries, they would only cost tokens. */
const limits = ['min_length', 'max_length', 'min_value', 'max_value'];

/**
 * Answers questions about contexts over the standard input and output, until the input ends. Questions may be open then.
 * @param places the folders in which the agent works, absolute, those that the user added, and if all are allowed
 */
export async function serveContextTools(places: AnsweredPlaces): Promise<void> {
  const sdk = await import('./sdk');
  const tools = new SessionTools();
  const lines = new MessageLines(sdk.deserializeMessage, line => process.stdout.write(line));
  const transport = new sdk.StdioServerTransport(process.stdin.pipe(lines));
  let showsPictures = false;
  sdk.serveStdio(() => serverOf(sdk, tools, places, showsPictures), { transport });
  const read = transport.onmessage;
  // The server is made for the first message, which says what the client can show.
  transport.onmessage = message => {
    showsPictures ||= canShowPictures(sdk, message);
    read?.(message);
  };
  await once(lines, 'close');
}

/** True if a message is from a client that shows pages of servers, in either form of the protocol. */
function canShowPictures({ EXTENSION_ID, RESOURCE_MIME_TYPE }: Sdk, message: unknown): boolean {
  const params = objectAt(message, 'params');
  const capabilities =
    objectAt(params, 'capabilities') ?? objectAt(objectAt(params, '_meta'), clientCapabilitiesMember);
  const extension = objectAt(objectAt(capabilities, 'extensions'), EXTENSION_ID);
  return arrayAt(extension, 'mimeTypes').includes(RESOURCE_MIME_TYPE);
}

function serverOf(sdk: Sdk, tools: SessionTools, places: AnsweredPlaces, showsPictures: boolean): McpServer {
  const server = new sdk.McpServer(
    { name: 'context-inspector', version: process.env['PROGRAM_VERSION'] ?? '' },
    { instructions, capabilities: { tools: {} } },
  );
  for (const tool of contextTools) {
    const wantsPicture = showsPictures && tool.picture !== undefined;
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.description,
        inputSchema: schemaOf(sdk, tool),
        annotations: { readOnlyHint: true, openWorldHint: false },
        ...(wantsPicture
          ? { _meta: { ui: { resourceUri: pictureUri }, [sdk.RESOURCE_URI_META_KEY]: pictureUri } }
          : {}),
      },
      async (params, { mcpReq }): Promise<CallToolResult> => {
        // oxlint-disable-next-line typescript/no-deprecated -- older clients say their name only once
        const client = clientOf(mcpReq) ?? server.server.getClientVersion()?.name ?? '';
        const ids = callIdsOf(mcpReq._meta, client, process.env);
        const caller: Caller = { ...places, started: performance.timeOrigin, client, ids };
        const answer = await tools.answer(tool, params, caller, { wantsPicture });
        const { isError, picture } = answer;
        return {
          content: [{ type: 'text', text: await pageOf(answer, params) }],
          ...(isError ? { isError } : {}),
          ...(picture === undefined ? {} : { _meta: { [pictureMember]: picture } }),
        };
      },
    );
  }
  if (showsPictures) {
    sdk.registerAppResource(server, 'What fills the context', pictureUri, {}, async () => {
      const text = picturePage(await readFile(join(__dirname, 'picture.js'), 'utf8'));
      return { contents: [{ uri: pictureUri, mimeType: sdk.RESOURCE_MIME_TYPE, text }] };
    });
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
