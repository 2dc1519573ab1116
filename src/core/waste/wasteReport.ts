import * as v from 'valibot';
import { type Described, numbers } from '../base/schema';
import { tokenQualities } from '../tokens/quality';
import { type WasteKind, wasteKinds } from './wasteKinds';

const count = v.number();
/** US dollars at list prices; null if no price is known. */
const money = v.nullable(count);

const wastedBlock = v.object({
  /** The block and its proof: the earlier reading, the edit, the later image; -1 for none. */
  ...numbers('block', 'evidence'),
  /** The first request that need not have carried it. */
  since: count,
  /** Avoidable tokens per request. */
  tokens: count,
  /** The same, summed over the requests. */
  carried: count,
});
export type WastedBlock = Described<typeof wastedBlock>;

/** Avoidable content. Figures of different findings do not overlap. Tokens may be fractions. */
const wasteFinding = v.object({
  kind: v.picklist(wasteKinds),
  /** Of noisy output the row in `noisyPrograms`, of an unused result its source; empty for all others. */
  detail: v.string(),
  /** Tokens of all its blocks, each once. */
  tokens: count,
  /** Number of requests with any of the blocks, and the tokens per request. */
  requests: count,
  perRequest: count,
  /** Tokens summed over these requests: read from the cache, and not. */
  ...numbers('cached', 'fresh'),
  money,
  quality: v.picklist(tokenQualities),
  /** Relative error that the figures of nine of ten blocks stay below. */
  error: count,
  /** Of tools: how many were sent, and called, of the server or of the agent's own. */
  sent: count,
  called: count,
  /** Number of blocks, and the first `mostBlocks` of them, largest saving first. */
  count,
  blocks: v.array(wastedBlock),
});
export type WasteFinding = Described<typeof wasteFinding>;

/** The waste of a session, by cost, then by tokens. */
export const wasteReportSchema = v.object({
  findings: v.array(wasteFinding),
  /** The sums of all findings. */
  saved: v.object({ ...numbers('cached', 'fresh'), money }),
  /** The input of all requests. */
  input: v.object({ ...numbers('cached', 'fresh'), money }),
  /** Requests in these sums, and those of them without a known price. */
  ...numbers('requests', 'unpriced'),
});
export type WasteReport = Described<typeof wasteReportSchema>;

/** A report without the findings of some kinds, with the sums of the others. */
export function withoutKinds(report: WasteReport, hidden: readonly WasteKind[]): WasteReport {
  const findings = report.findings.filter(({ kind }) => !hidden.includes(kind));
  return { ...report, findings, saved: savedBy(findings, report.saved.money !== null) };
}

/** The sums of findings; no money where no price is known. */
export function savedBy(findings: readonly WasteFinding[], hasPrices: boolean): WasteReport['saved'] {
  const sum = (value: (finding: WasteFinding) => number): number =>
    findings.reduce((total, finding) => total + value(finding), 0);
  return {
    cached: sum(({ cached }) => cached),
    fresh: sum(({ fresh }) => fresh),
    money: hasPrices ? sum(finding => finding.money ?? 0) : null,
  };
}

/** Blocks that a finding lists at most. */
export const mostBlocks = 200;
