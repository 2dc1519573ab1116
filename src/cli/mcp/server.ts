import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import type {
  CallToolResult,
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import { answerPage } from '../../core/contextTools/answerPages';
import {
  type ContextTool,
  type OpenedSession,
  ToolError,
  type ToolSources,
} from '../../core/contextTools/contextTool';
import { contextTools } from '../../core/contextTools/contextTools';
import { numberAt, objectAt, stringAt } from '../../core/base/json';
import { learnFound } from '../../core/export/redactSession';
import { Gate } from '../../core/sensitivity/gate';
import { secretScanner } from '../../node/secrets/secretScannerOnDemand';
import { loadTokenizer } from '../../core/tokens/bytePairTokenizer';
import { parseWords } from '../../core/index/wordQuery';
import { stateOf } from '../../node/index/fileState';
import { filesByKey, searchIndex } from '../../node/index/searchIndex';
import { searchLines } from '../commands/search';
import { UsageError } from '../options/usageError';
import { safeText } from '../output/terminal';
import { withAllSessions } from '../sessions/allSessions';
import { type OpenedFile, openFileOf } from '../sessions/transcripts';
import { callIdsOf } from './callIds';
import { type Caller, type FoundSession, sessionNamed, sessionOfCaller } from './callersSession';
import { chosenConversation, storedIn } from './chosenConversation';
import type * as sdkModule from './sdk';

type Sdk = typeof sdkModule;

const instructions =
  'Shows what is in your own context window, what it costs, and what was lost from it. Read-only; nothing leaves this machine.';

/** How long a search may take before the caller is asked to come back, in milliseconds. Clients wait for a minute. */
const longestSearch = 40_000;

const clientInfoMember = 'io.modelcontextprotocol/clientInfo';

/** Checked when a tool is called. In the schema, which every request of the agent carries, they would only cost tokens. */
const limits = ['min_length', 'max_length', 'min_value', 'max_value'];

/**
 * Answers questions about contexts over the standard input and output, until the input ends.
 * @param folder the one in which the agent works, absolute
 */
export async function serveContextTools(folder: string): Promise<void> {
  const sdk = await import('./sdk');
  const sessions = new OpenSessions();
  const handle = sdk.serveStdio(() => serverOf(sdk, sessions, folder));
  await once(process.stdin, 'close');
  await Promise.allSettled([handle.close(), sessions.close()]);
}

function serverOf(sdk: Sdk, sessions: OpenSessions, folder: string): McpServer {
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
      (params, { mcpReq }) => {
        // oxlint-disable-next-line typescript/no-deprecated -- older clients say their name only once
        const client = clientOf(mcpReq) ?? server.server.getClientVersion()?.name ?? '';
        const ids = callIdsOf(mcpReq._meta, client, process.env);
        const caller: Caller = { folder, started: performance.timeOrigin, client, ids };
        return answered(tool, params, {
          open: id => sessions.open(id, caller),
          find: findBlocks,
          now: Date.now,
        });
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

/** The answer of a tool, without secrets and control characters. An error that the caller can correct is one sentence. */
async function answered(tool: ContextTool, params: unknown, sources: ToolSources): Promise<CallToolResult> {
  let gate: Gate | undefined;
  const open: ToolSources['open'] = async id => {
    const opened = await sources.open(id);
    ({ gate } = opened);
    return opened;
  };
  try {
    const lines = await tool.answer(params, { ...sources, open });
    const safe = await safeText(lines.join('\n'), gate);
    return textResult(
      answerPage(safe.split('\n'), numberAt(params, 'page') ?? 1, await loadTokenizer('o200k_base')),
    );
  } catch (error) {
    if (error instanceof ToolError || error instanceof UsageError) {
      return { ...textResult(await safeText(error.message)), isError: true };
    }
    throw error;
  }
}

const textResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

/** The reading of the index that is under way. A later search waits for it. */
let searching: Promise<unknown> = Promise.resolve();

async function findBlocks(words: string, most: number): Promise<readonly string[]> {
  const query = parseWords(words);
  if (query.match === undefined) {
    throw new ToolError('words: give a word with letters or digits.');
  }
  const found = searching
    .catch(() => undefined)
    .then(() =>
      withAllSessions(true, ({ index, files }) => searchIndex(index, filesByKey(files), { query }, { most })),
    );
  searching = found;
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new ToolError('All sessions are being read for the first search. Ask again in a minute.')),
      longestSearch,
    );
  });
  try {
    return searchLines(await Promise.race([found, patience]));
  } finally {
    clearTimeout(timer);
  }
}

type ReadSession = Pick<OpenedSession, 'session' | 'gate'>;

/** The session that was asked about last, kept open and read on when it has grown. */
class OpenSessions {
  private last: (OpenedFile & ReadSession & { readonly path: string; readonly state: string }) | undefined;
  /** One question after the other: two readings of one file would be twice the work. */
  private turn: Promise<unknown> = Promise.resolve();

  open(id: string | undefined, caller: Caller): Promise<OpenedSession> {
    const opened = this.turn
      .catch(() => undefined)
      .then(async () => {
        const place = await (id === undefined ? sessionOfCaller(caller) : sessionNamed(id));
        const { session, gate } = await this.read(place);
        const chosen = chosenConversation(storedIn(place.path, session.transcript), id, caller);
        return { session, gate, conversation: chosen.conversation, id: chosen.id ?? place.id };
      });
    this.turn = opened;
    return opened;
  }

  private async read({ path }: FoundSession): Promise<ReadSession> {
    const { size, mtimeMs } = await stat(path);
    const state = stateOf({ path, size, modified: mtimeMs });
    const { last } = this;
    if (last?.path === path && last.state === state) {
      return last;
    }
    const previous = last?.path === path ? last.session : undefined;
    const opened = await openFileOf(path, undefined, {
      countWhileReading: true,
      scanWhileReading: true,
      mayGrow: true,
      previous,
    });
    await opened.session.measure();
    const gate = new Gate(secretScanner);
    await learnFound(opened.session, gate);
    await last?.close();
    this.last = { ...opened, gate, path, state };
    return this.last;
  }

  async close(): Promise<void> {
    await this.turn.catch(() => undefined);
    await this.last?.close();
  }
}
