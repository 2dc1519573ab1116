import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readTranscript } from '../../src/core/formats/readTranscript';
import { decoderTools } from '../../src/node/database';
import { siblingFilesOf } from '../../src/node/siblingFiles';
import { compareBlocks, openTranscriptBytes } from '../fixtures/openedTranscript';
import { rebuiltItems, sentItems } from '../fixtures/sentRequests';
import { sourceOf } from '../fixtures/transcriptBytes';
import type { AgentUnderTest } from './agents';
import type { ReceivedRequest } from './server';

export interface AgentReport {
  readonly lines: readonly string[];
  /** Whether every request of every session is as it was sent, apart from what the sessions do not hold. */
  readonly isEqual: boolean;
}

/** Compares the sessions that an agent left in its home folder with what the server received. */
export async function compareSessions(
  agent: AgentUnderTest,
  home: string,
  received: readonly ReceivedRequest[],
): Promise<AgentReport> {
  const sent = received
    .map(({ body }) => sentItems(body))
    .filter(items => items.length > 0 && agent.beside?.(items) !== true);
  const unused = new Set(sent);
  const lines: string[] = [];
  const sums = { files: 0, requests: 0, equal: 0, matched: 0, lacking: 0, missing: 0, extra: 0 };
  for (const path of sessionsBelow(home)) {
    const bytes = readFileSync(path);
    const options = { siblings: siblingFilesOf(path), tools: decoderTools };
    const result = await readTranscript(sourceOf(bytes), options);
    if (!result.ok || !agent.formats.includes(result.transcript.format)) {
      continue;
    }
    const opened = await openTranscriptBytes(bytes, options);
    const { requests, problems } = opened.transcript;
    sums.files += 1;
    lines.push(`${relative(home, path)}: ${requests.length} requests ${JSON.stringify(problems)}`);
    requests.forEach((_, index) => {
      const rebuilt = rebuiltItems(opened, index);
      const original = closest(rebuilt, unused.size > 0 ? [...unused] : sent);
      if (original === undefined) {
        lines.push(`  request ${index}: nothing like it was received`);
        sums.extra += rebuilt.length;
        return;
      }
      unused.delete(original);
      const { matched, missing, extra } = compareBlocks(original, rebuilt);
      const unexpected = missing.filter(item => !agent.lacks.some(beginning => item.startsWith(beginning)));
      sums.requests += 1;
      sums.equal += unexpected.length + extra.length === 0 ? 1 : 0;
      sums.matched += matched;
      sums.lacking += missing.length - unexpected.length;
      sums.missing += unexpected.length;
      sums.extra += extra.length;
      unexpected.forEach(item => lines.push(`  request ${index} misses ${shown(item)}`));
      extra.forEach(item => lines.push(`  request ${index} has more ${shown(item)}`));
    });
  }
  for (const items of unused) {
    lines.push(
      `  in no session: a request of ${items.length} items that ends in ${shown(items.at(-1) ?? '')}`,
    );
  }
  lines.push(
    `${agent.name} (${agent.package}): ${sent.length} requests received, ${sums.requests} in ${sums.files} sessions, ${sums.equal} equal; ` +
      `items: ${sums.matched} equal, ${sums.lacking} not in the format, ${sums.missing} missing, ${sums.extra} more`,
  );
  return { lines, isEqual: sums.requests > 0 && sums.equal === sums.requests };
}

/** The request that shares most items, and has fewest others. */
function closest(
  rebuilt: readonly string[],
  sent: readonly (readonly string[])[],
): readonly string[] | undefined {
  const own = new Set(rebuilt);
  let best: { readonly items: readonly string[]; readonly score: number } | undefined;
  for (const items of sent) {
    const shared = items.filter(item => own.has(item)).length;
    const spoken = items.filter(item => !item.startsWith('tool ') && !item.startsWith('system: '));
    const score =
      shared -
      Math.abs(
        spoken.length -
          rebuilt.filter(item => !item.startsWith('tool ') && !item.startsWith('system: ')).length,
      ) *
        0.6;
    if (shared > 0 && (best === undefined || score > best.score)) {
      best = { items, score };
    }
  }
  return best?.items;
}

function sessionsBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      entry =>
        entry.isFile() && /\.(jsonl|json|db)$/.test(entry.name) && !entry.parentPath.includes('node_modules'),
    )
    .map(entry => join(entry.parentPath, entry.name))
    .filter(path => statSync(path).size < 50_000_000)
    .sort();
}

function shown(item: string): string {
  return JSON.stringify(
    item.length > 240 ? `${item.slice(0, 200)} … ${item.slice(-40)} (${item.length})` : item,
  );
}
