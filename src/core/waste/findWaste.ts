import { entryOf } from '../base/entryOf';
import { firstWhere } from '../base/numbers';
import { carriedShares } from '../breakdown/carriedShares';
import { kindOf } from '../model/blockWords';
import { requestFlags, type Session, type SessionColumns } from '../model/columns';
import type { TokenQuality } from '../tokens/quality';
import { type Claim, Claims } from './claims';
import { ContextClaims } from './contextClaims';
import { claimResults } from './resultClaims';
import { isMemoryFile, type TextFacts } from './textFacts';
import { claimTools, serverOf, toolUse } from './toolClaims';
import { mostBlocks, savedBy, type WastedBlock, type WasteFinding, type WasteReport } from './wasteReport';
import { isPromptOfAgent, writesOwnPrompt } from './wasteAdvice';

/** Smaller findings are left out: tokens of the blocks, and tokens over all requests. */
const leastTokens = 100;
const leastCarried = 1_000;

/** Error of dividing the tokens around a text between its parts. */
const partError = 0.02;

interface Growing {
  readonly first: Claim;
  readonly blocks: WastedBlock[];
  tokens: number;
  cached: number;
  fresh: number;
  money: number;
}

/** Finds the waste of a session. The session must be counted and its texts read into `facts`. */
export function claimWaste({ columns, summary }: Session, facts: TextFacts) {
  const claims = new Claims(columns);
  const servers = toolUse(columns);
  claimTools(columns, servers, claims);
  claimResults(columns, facts, claims);
  const ownsPrompt = !writesOwnPrompt(summary.format);
  new ContextClaims(
    columns,
    facts,
    claims,
    block =>
      isMemoryFile(columns, block) ||
      (ownsPrompt &&
        kindOf(columns.blocks, block) === 'systemPrompt' &&
        !isPromptOfAgent(facts.instructions.get(block) ?? '')),
  ).addAll();
  const claimed = new Map([...claims.all()].map(claim => [claim.block, claim]));
  const starts = new Map([...claimed].flatMap(([block, { since }]) => (since > 0 ? [[block, since]] : [])));
  const shares = carriedShares(columns, summary.models, starts);
  const findings = grown(claimed, shares, columns).filter(
    ({ tokens, cached, fresh }) => tokens >= leastTokens && cached + fresh >= leastCarried,
  );
  const worth = new Set(findings.map(({ first }) => findingKey(first)));
  return {
    servers,
    claimed,
    starts,
    shares,
    findings,
    /** The claims of these findings, by block. */
    named: new Map([...claimed].filter(([, claim]) => worth.has(findingKey(claim)))),
  };
}

const findingKey = ({ kind, group }: Claim): string => `${kind} ${group}`;

/** Finds the waste in the requests of a session. The session must be counted and its texts read into `facts`. */
export function findWaste(session: Session, facts: TextFacts): WasteReport {
  const { columns, summary } = session;
  const { servers, claimed, starts, shares, findings: found } = claimWaste(session, facts);
  const all = starts.size === 0 ? shares : carriedShares(columns, summary.models);
  const requests = all.reduce((sum, thread) => sum + thread.requests, 0);
  const unpriced = all.reduce((sum, thread) => sum + thread.unpriced, 0);
  const hasPrices = requests > unpriced;
  const input = { cached: 0, fresh: 0, money: 0 };
  for (const thread of all) {
    input.cached += thread.input.cached;
    input.fresh += thread.input.fresh;
    input.money += thread.money.reduce((sum, money) => sum + money, thread.notRecorded.money);
  }
  const carrying = new CarryingRequests(columns, claimed);
  const priced = (money: number): number | null => (hasPrices ? money : null);
  const findings = found
    .map(({ first, blocks, tokens, cached, fresh, money }): WasteFinding => {
      const { requests: count, error, quality } = carrying.of(blocks);
      const isInPart = blocks.some(({ block }) => (claimed.get(block)?.share ?? 1) < 1);
      const use = isOfTools(first) ? servers.get(serverOf(toolOf(columns, first.block))) : undefined;
      return {
        kind: first.kind,
        detail: isOfTools(first) ? '' : first.group,
        tokens,
        requests: count,
        perRequest: count === 0 ? 0 : (cached + fresh) / count,
        cached,
        fresh,
        money: priced(money),
        quality,
        error: error + (isInPart ? partError : 0),
        sent: use?.sent.size ?? 0,
        called: use?.called.size ?? 0,
        count: blocks.length,
        blocks: blocks.sort((one, other) => other.carried - one.carried).slice(0, mostBlocks),
      };
    })
    .sort((one, other) => (other.money ?? 0) - (one.money ?? 0) || sent(other) - sent(one));
  return {
    findings,
    saved: savedBy(findings, hasPrices),
    input: { ...input, money: priced(input.money) },
    requests,
    unpriced,
  };
}

const sent = ({ cached, fresh }: WasteFinding): number => cached + fresh;
const isOfTools = ({ kind }: Claim): boolean => kind === 'unusedServer' || kind === 'unusedTools';

function toolOf({ blocks, strings }: SessionColumns, block: number): string {
  return strings.at(blocks.tool[block] ?? 0) ?? '';
}

/** The claims with their cost, grouped into findings. */
function grown(
  claimed: ReadonlyMap<number, Claim>,
  shares: ReturnType<typeof carriedShares>,
  { blocks: rows }: SessionColumns,
): readonly Growing[] {
  const findings = new Map<string, Growing>();
  const byBlock = new Map<number, { cached: number; fresh: number; money: number }>();
  for (const { blocks, cached, fresh, money } of shares) {
    blocks.forEach((block, place) => {
      const claim = claimed.get(block);
      if (claim !== undefined) {
        const sum = entryOf(byBlock, block, () => ({ cached: 0, fresh: 0, money: 0 }));
        sum.cached += (cached[place] ?? 0) * claim.share;
        sum.fresh += (fresh[place] ?? 0) * claim.share;
        sum.money += (money[place] ?? 0) * claim.share;
      }
    });
  }
  for (const [block, { cached, fresh, money }] of byBlock) {
    const claim = claimed.get(block);
    if (claim !== undefined && cached + fresh > 0) {
      const finding = entryOf(findings, findingKey(claim), () => ({
        first: claim,
        blocks: [],
        tokens: 0,
        cached: 0,
        fresh: 0,
        money: 0,
      }));
      const tokens = (rows.tokens[block] ?? 0) * claim.share;
      const since = Math.max(claim.since, rows.firstRequest[block] ?? 0);
      finding.blocks.push({ block, evidence: claim.evidence, since, tokens, carried: cached + fresh });
      finding.tokens += tokens;
      finding.cached += cached;
      finding.fresh += fresh;
      finding.money += money;
    }
  }
  return [...findings.values()];
}

/** The requests that contain claimed blocks. */
class CarryingRequests {
  /** The requests that did not need a claimed block, by block, as ranges of places in `order`. */
  private readonly ranges = new Map<number, (readonly [start: number, end: number])[]>();
  /** Requests sorted by their contexts, in each in the order of time. */
  private readonly order: readonly number[];

  constructor(
    private readonly columns: SessionColumns,
    claimed: ReadonlyMap<number, Claim>,
  ) {
    const { requests, contexts, blocks } = columns;
    const byContext = new Map<number, number[]>();
    requests.context.forEach((context, request) => {
      entryOf<number, number[]>(byContext, context, () => []).push(request);
    });
    const order: number[] = [];
    for (const [context, numbers] of byContext) {
      const start = order.length;
      order.push(...numbers);
      const indexOf = (request: number): number =>
        firstWhere(0, numbers.length, index => (numbers[index] ?? 0) >= request);
      contexts[context]?.forEach((block, position) => {
        const claim = claimed.get(block);
        if (claim !== undefined) {
          const held = firstWhere(0, numbers.length, index => this.longestUpTo(numbers, index) > position);
          const left = blocks.leftAt[block] ?? -1;
          const end = left < 0 ? numbers.length : indexOf(left);
          const begin = Math.max(held, indexOf(claim.since));
          if (end > begin) {
            entryOf<number, (readonly [number, number])[]>(this.ranges, block, () => []).push([
              start + begin,
              start + end,
            ]);
          }
        }
      });
    }
    this.order = order;
  }

  /** Number of requests that contain any of the blocks, and the error of their figures. */
  of(blocks: readonly WastedBlock[]): {
    readonly requests: number;
    readonly error: number;
    readonly quality: TokenQuality;
  } {
    const { requests: rows } = this.columns;
    const ranges = blocks
      .flatMap(({ block }) => this.ranges.get(block) ?? [])
      .sort(([one], [other]) => one - other);
    let requests = 0;
    let error = 0;
    let isRecorded = true;
    let done = 0;
    for (const [start, end] of ranges) {
      for (let place = Math.max(start, done); place < end; place += 1) {
        const request = this.order[place] ?? 0;
        requests += 1;
        error = Math.max(error, rows.scaleError[request] ?? 0);
        isRecorded &&= ((rows.flags[request] ?? 0) & (requestFlags.recorded | requestFlags.counted)) !== 0;
      }
      done = Math.max(done, end);
    }
    return { requests, error, quality: isRecorded ? 'calibrated' : 'estimated' };
  }

  /** Requests of a context contain more and more of it, except those beside the conversation. */
  private longestUpTo(numbers: readonly number[], index: number): number {
    return this.columns.requests.length[numbers[index] ?? 0] ?? 0;
  }
}
