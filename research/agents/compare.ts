import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readTranscript } from '../../src/core/formats/readTranscript';
import { decoderTools } from '../../src/node/databases/database';
import { siblingFilesOf } from '../../src/node/sessions/siblingFiles';
import { compareBlocks, openTranscriptBytes } from '../../test/fixtures/openedTranscript';
import { rebuiltItems, sentItems } from '../../test/fixtures/sentRequests';
import { sourceOf } from '../../test/fixtures/transcriptBytes';
import type { AgentUnderTest } from './agents';
import type { ReceivedRequest } from './server';

export interface AgentReport {
  readonly lines: readonly string[];
  /** True if every request of every session is as it was sent, except for the parts that sessions do not record. */
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
  const sums = {
    files: 0,
    requests: 0,
    equal: 0,
    matched: 0,
    lacking: 0,
    differing: 0,
    missing: 0,
    extra: 0,
  };
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
      const original = closest(rebuilt, unused.size > 0 ? [...unused] : sent, agent.lacks);
      if (original === undefined) {
        lines.push(`  request ${index}: nothing like it was received`);
        sums.extra += rebuilt.length;
        return;
      }
      unused.delete(original);
      const { matched, missing, extra: all } = compareBlocks(original, rebuilt);
      const extra = all.filter(item => !startsWithAny(item, agent.differs ?? []));
      const unexpected = missing.filter(item => !startsWithAny(item, agent.lacks));
      sums.requests += 1;
      sums.equal += unexpected.length + extra.length === 0 ? 1 : 0;
      sums.matched += matched;
      sums.lacking += missing.length - unexpected.length;
      sums.differing += all.length - extra.length;
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
      `items: ${sums.matched} equal, ${sums.lacking} not in the format, ${sums.differing} in other words, ${sums.missing} missing, ${sums.extra} more`,
  );
  return { lines, isEqual: sums.requests > 0 && sums.equal === sums.requests };
}

function startsWithAny(item: string, beginnings: readonly string[]): boolean {
  return beginnings.some(beginning => item.startsWith(beginning));
}

/** The request with the fewest differences; of several, the one that was received first. */
export function closest(
  rebuilt: readonly string[],
  sent: readonly (readonly string[])[],
  lacks: readonly string[],
): readonly string[] | undefined {
  let best: { readonly items: readonly string[]; readonly differences: number } | undefined;
  for (const items of sent) {
    const counts = new Map<string, number>();
    rebuilt.forEach(item => counts.set(item, (counts.get(item) ?? 0) + 1));
    let shared = 0;
    let missing = 0;
    for (const item of items) {
      const count = counts.get(item) ?? 0;
      counts.set(item, count - 1);
      if (count > 0) {
        shared += 1;
      } else if (!startsWithAny(item, lacks)) {
        missing += 1;
      }
    }
    const differences = missing + rebuilt.length - shared;
    if (shared > 0 && (best === undefined || differences < best.differences)) {
      best = { items, differences };
    }
  }
  return best?.items;
}

export function sessionsBelow(folder: string): readonly string[] {
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
