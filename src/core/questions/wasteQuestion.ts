import { throwIfCancelled, type WorkOptions, WorkTurn } from '../base/cancelling';
import type { SessionColumns } from '../model/columns';
import type { TranscriptSession } from '../session/transcriptSession';
import { loadTokenizer } from '../tokens/bytePairTokenizer';
import { findWaste } from '../waste/findWaste';
import { TextFacts } from '../waste/textFacts';
import type { WasteReport } from '../waste/wasteReport';

interface Known {
  readonly columns: SessionColumns;
  readonly report: Promise<WasteReport>;
}

const known = new WeakMap<TranscriptSession, Known>();

/**
 * What a session need not have sent, found once for each version of its columns. Reads every text once; linear in the
 * file. The session has to be counted.
 */
export function wasteOf(session: TranscriptSession, options: WorkOptions = {}): Promise<WasteReport> {
  const { columns } = session.toSession();
  const found = known.get(session);
  if (found?.columns === columns) {
    return found.report;
  }
  const report = makeReport(session, options);
  known.set(session, { columns, report });
  report.catch(() => known.delete(session));
  return report;
}

async function makeReport(session: TranscriptSession, { isCancelled }: WorkOptions): Promise<WasteReport> {
  const opened = session.toSession();
  const tokenizer = await loadTokenizer(session.encoding);
  const facts = new TextFacts(opened.columns, text => tokenizer.count(text));
  const turn = new WorkTurn();
  for await (const { block, text } of session.textsOf(TextFacts.blocksToRead(opened.columns))) {
    facts.read(block, text);
    if (turn.isOver) {
      await turn.next();
      throwIfCancelled(isCancelled);
    }
  }
  return findWaste(opened, facts);
}
