import { throwIfCancelled, type WorkOptions, WorkTurn } from '../base/cancelling';
import type { SessionColumns } from '../model/columns';
import type { TranscriptSession } from '../session/transcriptSession';
import { loadTokenizer } from '../tokens/bytePairTokenizer';
import { findWaste } from '../waste/findWaste';
import { requestWaste } from '../waste/requestWaste';
import { TextFacts } from '../waste/textFacts';
import type { WasteKind } from '../waste/wasteKinds';
import { type WasteReport, withoutKinds } from '../waste/wasteReport';
import { wasteMarkdown } from '../waste/wasteWords';

interface Known {
  readonly columns: SessionColumns;
  readonly report: Promise<WasteReport>;
}

const known = new WeakMap<TranscriptSession, Known>();

/**
 * The avoidable context of a session, computed once for each version of its columns. Reads every text once; linear in
 * the file. The session must be counted.
 */
export function wasteOf(session: TranscriptSession, options: WorkOptions = {}): Promise<WasteReport> {
  const { columns } = session.toSession();
  const found = known.get(session);
  if (found?.columns === columns) {
    return found.report;
  }
  const report = makeReport(session, {
    // Cancelled if a newer version of the columns was requested.
    isCancelled: () => options.isCancelled?.() === true || known.get(session)?.columns !== columns,
  });
  known.set(session, { columns, report });
  report.catch(() => known.delete(session));
  return report;
}

/** Maximum number of a finding's blocks whose names may be in its text. */
const namedBlocks = 8;

/** The findings as Markdown for pasting, without hidden kinds. Everything sensitive is removed from the names. */
export async function wasteText(session: TranscriptSession, hidden: readonly WasteKind[]): Promise<string> {
  const report = withoutKinds(await wasteOf(session), hidden);
  const opened = session.toSession();
  const gate = session.openGate({ takesOut: 'everything sensitive' });
  const named = report.findings.flatMap(({ blocks }) =>
    blocks.slice(0, namedBlocks).map(({ block }) => block),
  );
  const readable = [...new Set(named)].filter(block => !session.isImage(block));
  for await (const { text } of session.textsOf(readable)) {
    await gate.learn(text);
  }
  for (const name of readable.flatMap(block => session.namesOf(block))) {
    await gate.learn(name);
  }
  return gate.text(wasteMarkdown(report, opened));
}

/** The waste of each request, from known texts without reading them again. See `requestWaste`. */
export async function requestWasteOf(
  session: TranscriptSession,
  known: (block: number) => string | undefined,
): Promise<ReturnType<typeof requestWaste>> {
  return requestWaste(session.toSession(), await factsOf(session, {}, known));
}

/** The facts of a session's texts. Reads every text. */
export function textFactsOf(session: TranscriptSession): Promise<TextFacts> {
  return factsOf(session, {});
}

async function makeReport(session: TranscriptSession, options: WorkOptions): Promise<WasteReport> {
  return findWaste(session.toSession(), await factsOf(session, options));
}

async function factsOf(
  session: TranscriptSession,
  { isCancelled }: WorkOptions,
  known?: (block: number) => string | undefined,
): Promise<TextFacts> {
  const opened = session.toSession();
  const tokenizer = await loadTokenizer(session.encoding);
  const facts = new TextFacts(
    opened.columns,
    text => tokenizer.count(text),
    opened.summary.conversations.length > 0,
  );
  const turn = new WorkTurn();
  for await (const { block, text } of session.textsOf(TextFacts.blocksToRead(opened.columns), known)) {
    facts.read(block, text);
    if (turn.isOver) {
      await turn.next();
      throwIfCancelled(isCancelled);
    }
  }
  facts.finish();
  return facts;
}
