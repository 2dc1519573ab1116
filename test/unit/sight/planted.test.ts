import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTranscript } from '../../../src/core/session/openTranscript';
import type { TranscriptSession } from '../../../src/core/session/transcriptSession';
import { auditSight } from '../../../src/core/sight/sightOf';
import { exposurePlants } from '../../fixtures/planted/exposurePlants';
import { aloneAndInPairs, type Plant } from '../../fixtures/planted/plant';
import { type PieceNumber, PlantedSession } from '../../fixtures/planted/plantedSession';
import { plantedClaudeCode } from '../../fixtures/planted/plantedWriters';
import { type ExpectedSight, sightPlants } from '../../fixtures/planted/sightPlants';
import { wastePlants } from '../../fixtures/planted/wastePlants';
import { sourceOf } from '../../fixtures/transcriptBytes';
import { someOf } from '../../fixtures/variants';

/** Maximum relative error of tokens, of their total over the session, and of dollars. */
const error = 0.1;

describe('planted edits and fetches', () => {
  for (const plants of aloneAndInPairs(sightPlants)) {
    it(`are found: ${plants.map(({ kind }) => kind).join(' + ')}`, () => check(plants));
  }
  const others = [...wastePlants, ...exposurePlants];
  const beside = sightPlants.flatMap(plant => others.map(other => ({ plant, other })));
  for (const { plant, other } of someOf(beside, 60)) {
    it(`are found beside waste and exposures: ${plant.kind}, ${other.kind}`, () => check([plant], other));
  }
});

/** @param beside another plant that comes first and may contain edits of its own */
async function check(plants: readonly Plant<ExpectedSight>[], beside?: Plant<unknown>): Promise<void> {
  const planted = new PlantedSession();
  planted.system('You work in a bookshop.');
  beside?.plant(planted, 'cedar');
  const expected = plants.map((each, index) => each.plant(planted, `tag${'ab'.charAt(index)}`));
  planted.talk(1);
  const opened = await openTranscript(sourceOf(Buffer.from(plantedClaudeCode(planted))), {
    fileName: 'planted.jsonl',
    scanner: { scan: () => Promise.resolve([]) },
    countWhileReading: true,
  });
  assert.ok(opened.ok);
  const { report } = await auditSight(opened.session);
  const blockOf = blocksOf(planted, opened.session);
  const calls = new Set(expected.flatMap(({ edits }) => edits.map(({ call }) => blockOf(call))));
  assert.deepEqual(
    beside === undefined ? report.edits : report.edits.filter(({ block }) => calls.has(block)),
    expected
      .flatMap(({ edits }) => edits)
      .map(({ call, outcome, verdict, evidence, changedBy }) => {
        const found = report.edits.find(({ block }) => block === blockOf(call));
        assert.ok(found !== undefined, 'an edit is not found');
        const compaction = 'compaction' in found.verdict ? { compaction: found.verdict.compaction } : {};
        return {
          block: blockOf(call),
          request: found.request,
          path: found.path,
          outcome,
          verdict: {
            ...verdict,
            ...compaction,
            ...(evidence === undefined ? {} : { block: blockOf(evidence) }),
            ...(changedBy === undefined ? {} : { changedBy: blockOf(changedBy) }),
          },
        };
      }),
  );
  const again = expected.flatMap(each => each.again);
  const fetched = report.compactions.flatMap(each => each.fetched);
  assert.deepEqual(
    fetched.map(({ block }) => block),
    again.map(({ result }) => blockOf(result)),
  );
  again.forEach(({ call, result }, index) => {
    const figures = planted.figures([call, result]);
    const found = fetched[index];
    assert.ok(found !== undefined);
    assertNear(found.tokens, figures.tokens, 'tokens');
    assertNear(found.cached + found.fresh, figures.cached + figures.fresh, 'carried');
    assertNear(found.money ?? 0, figures.dollars, 'dollars');
  });
}

function assertNear(found: number, planted: number, what: string): void {
  assert.ok(Math.abs(found - planted) <= error * planted, `${what}: ${found} in place of ${planted}`);
}

/** The block of a call or a result. Of two blocks of one call, the first is not the notice. */
function blocksOf(planted: PlantedSession, { transcript }: TranscriptSession) {
  return (number: PieceNumber): number => {
    const piece = planted.piece(number);
    assert.ok(piece.kind === 'call' || piece.kind === 'result');
    const kind = piece.kind === 'call' ? 'toolCall' : 'toolResult';
    return [...transcript.blocks].findIndex(block => block.callId === piece.id && block.kind === kind);
  };
}
