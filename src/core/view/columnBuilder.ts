import { textColumns } from '../base/typedColumns';
import { blockTypes, requestTypes } from '../model/columnSchema';
import type { BlockColumns, SessionColumns } from '../model/columns';
import type { Transcript } from '../model/transcript';
import { VisibleTexts } from '../model/visibleTexts';
import { modelGrowth } from '../tokens/modelGrowth';
import type { ModelLookUp } from '../tokens/modelTable';
import { blockColumns, type BlockMeasures } from './blockColumns';
import { requestColumns } from './requestColumns';
import { sessionTotals } from './totals/sessionTotals';

/**
 * Builds columns repeatedly while measures improve and the transcript grows. Unchanged columns are reused and strings
 * keep their indices, so consecutive results differ little.
 */
export class ColumnBuilder {
  private last: LastColumns | undefined;

  build(transcript: Transcript, measures: BlockMeasures, lookUp: ModelLookUp): SessionColumns {
    const before = this.last;
    const same = before === undefined ? 0 : sameRows(before.transcript, transcript);
    const labelChanges = measures.labelChanges ?? 0;
    const sameLabels = before?.labelChanges === labelChanges ? same : 0;
    const countedInputs = measures.countedInputs ?? new Map<number, number>();
    const totals = sessionTotals(transcript, measures.tokens, countedInputs, model =>
      modelGrowth(model, lookUp(model)),
    );
    const blocks = blockColumns(transcript, measures, totals, {
      columns: before?.blocks,
      isSameTranscript: before?.transcript === transcript,
      same,
      sameLabels,
    });
    const contexts =
      before?.transcript === transcript
        ? before.contexts
        : transcript.contexts.map(context => new Uint32Array(context));
    const requests = requestColumns(transcript, blocks, totals, countedInputs, lookUp);
    const { texts } = transcript.blocks;
    const isShown = new Uint8Array(texts.length);
    for (const column of [...textColumns(blockTypes, blocks), ...textColumns(requestTypes, requests)]) {
      for (const text of column) {
        isShown[text] = 1;
      }
    }
    this.last = { transcript, blocks, contexts, labelChanges };
    return {
      blocks,
      contexts,
      requests,
      breakpoints: transcript.requests.flatMap(({ breakpoints }, request) =>
        breakpoints === undefined || breakpoints.length === 0 ? [] : [{ request, positions: breakpoints }],
      ),
      strings: new VisibleTexts(texts, isShown),
    };
  }
}

interface LastColumns {
  readonly transcript: Transcript;
  readonly blocks: BlockColumns;
  readonly contexts: readonly Uint32Array[];
  readonly labelChanges: number;
}

/** Number of leading blocks that are the same, in the same messages. */
function sameRows(before: Transcript, after: Transcript): number {
  const end = after.blocks.sameAtStart(before.blocks);
  const { message } = after.blocks.rows;
  for (let row = 0; row < end; row += 1) {
    const number = message[row] ?? 0;
    if (before.messages[number] !== after.messages[number]) {
      return row;
    }
  }
  return end;
}
