import * as v from 'valibot';
import { type Described, numbers } from '../base/schema';
import { tokenQualities } from '../tokens/quality';
import { type WasteKind, wasteKinds } from './wasteKinds';

const count = v.number();
/** US dollars at list prices; null where no price is known. */
const money = v.nullable(count);

const wastedBlock = v.object({
  /** The block, and what shows that it is waste: the reading before, the edit, the later picture; -1 where there is none. */
  ...numbers('block', 'evidence'),
  /** The first request that need not have carried it. */
  since: count,
  /** Tokens that need not have been sent with each request. */
  tokens: count,
  /** The same, summed over the requests. */
  carried: count,
});
export type WastedBlock = Described<typeof wastedBlock>;

/** Something that need not have been sent. Figures of different findings are disjoint. Tokens may be fractions. */
const wasteFinding = v.object({
  kind: v.picklist(wasteKinds),
  /** Of noisy output the row in `noisyPrograms`, of an unused result its source; empty for all others. */
  detail: v.string(),
  /** Tokens of all its blocks, each once. */
  tokens: count,
  /** Requests that carried any of them, and what that is for one of them. */
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
  /** How many blocks it is made of, and the first `mostBlocks` of them, those that save most first. */
  count,
  blocks: v.array(wastedBlock),
});
export type WasteFinding = Described<typeof wasteFinding>;

/** What a session need not have sent, by money, then by tokens. */
export const wasteReportSchema = v.object({
  findings: v.array(wasteFinding),
  /** The sums of all findings. */
  saved: v.object({ ...numbers('cached', 'fresh'), money }),
  /** What all requests were sent. */
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
