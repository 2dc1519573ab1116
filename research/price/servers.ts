import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sessionsBelow } from '../agents/compare';
import type { TextBlock } from '../../src/core/session/taskStateOf';
import { priceChange } from '../../src/core/price/priceChange';
import { serverTextsIn } from '../../src/core/price/serverTexts';
import { lookUpModel } from '../../src/core/tokens/modelTable';
import { inputOf } from '../../src/core/tokens/prices';
import { openFile } from '../../src/node/files/fileByteSource';
import { credentialScanner } from '../../src/node/secrets/secretScannerOnDemand';
import { openOnDisk } from '../../src/node/sessions/openOnDisk';

/** Runs of `npm run what-if` without and with an MCP server: all tools sent, and tools that are loaded when needed. */
const pairs = [
  { change: 'MCP server on record added, all tools sent', before: 'allTools', after: 'server' },
  { change: 'MCP server on record added, tools loaded when needed', before: 'base', after: 'deferred' },
] as const;

export interface MeasuredServer {
  readonly change: string;
  readonly predicted: number;
  readonly isPartly: boolean;
  readonly truth: number;
}

/**
 * The price of adding the server that a session of Claude Code recorded, and what each of its later requests really had
 * more, as the scripted model counted. Runs that were not made are left out.
 */
export async function measureServers(
  model: string,
  count: (text: string) => Promise<number>,
): Promise<readonly MeasuredServer[]> {
  const measured: MeasuredServer[] = [];
  for (const { change, before, after } of pairs) {
    const [one, other] = [await lastRequest(before), await lastRequest(after)];
    if (one === undefined || other === undefined) {
      continue;
    }
    const servers = serverTextsIn(other.prompt);
    const { agents } = await priceChange(
      new Map(),
      new Map([['.mcp.json', JSON.stringify({ mcpServers: { ledger: { command: 'node' } } })]]),
      {
        root: '/',
        uses: [{ agent: 'Claude Code', model, requests: 1, tokenPrice: undefined, isAssumed: true }],
        servers,
        rowOf: lookUpModel,
      },
      count,
    );
    measured.push({
      change,
      predicted: agents[0]?.tokens ?? 0,
      isPartly: agents[0]?.files.some(({ isPartly }) => isPartly) ?? false,
      truth: other.input - one.input,
    });
  }
  return measured;
}

/** The last request of a run: its prompt, and its input in tokens. Runs of a script have the same requests. */
async function lastRequest(
  variation: string,
): Promise<{ readonly prompt: readonly TextBlock[]; readonly input: number } | undefined> {
  const folder = resolve('.vscode-test', 'what-if-runs', `claude-short-${variation}`);
  if (!existsSync(join(folder, 'offsets.json'))) {
    return undefined;
  }
  let found: Awaited<ReturnType<typeof lastRequest>>;
  let most = 0;
  for (const path of sessionsBelow(join(folder, 'home'))) {
    const source = await openFile(path);
    try {
      const opened = await openOnDisk(path, source, {
        scanner: credentialScanner,
        labels: false,
        countWhileReading: false,
        mayGrow: false,
      });
      const requests = opened.ok ? opened.session.transcript.requests : [];
      const usage = requests.at(-1)?.usage;
      if (opened.ok && usage !== undefined && requests.length > most) {
        most = requests.length;
        found = { prompt: await opened.session.requestTexts(most - 1), input: inputOf(usage) };
      }
    } finally {
      await source.close();
    }
  }
  return found;
}
