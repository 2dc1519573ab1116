import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { wasteOf } from '../../../src/core/questions/wasteQuestion';
import { openTranscript } from '../../../src/core/session/openTranscript';
import type { TranscriptSession } from '../../../src/core/session/transcriptSession';
import type { WasteReport } from '../../../src/core/waste/wasteReport';
import { exposurePlants } from '../../fixtures/planted/exposurePlants';
import { aloneAndInPairs } from '../../fixtures/planted/plant';
import { PlantedSession } from '../../fixtures/planted/plantedSession';
import { plantedCapture, plantedClaudeCode } from '../../fixtures/planted/plantedWriters';
import { type ExpectedWaste, wastePlants } from '../../fixtures/planted/wastePlants';
import { sourceOf } from '../../fixtures/transcriptBytes';

const tags = ['alder', 'birch'];

/** A session without waste, with plants added. */
function sessionWith(plants: readonly (typeof wastePlants)[number][]) {
  const session = new PlantedSession('claude-opus-4-5-20251101');
  session.system('You help in a bookshop. Say what you are not sure of, and never guess.');
  session.prompt('Good morning.');
  session.reply('Good morning, what can I do?');
  const expected = plants.map((plant, place) => plant.plant(session, `${tags[place] ?? ''}${place}`));
  session.talk(24);
  return { session, expected };
}

async function open(text: string): Promise<TranscriptSession> {
  const opened = await openTranscript(sourceOf(Buffer.from(text)), {
    fileName: 'planted.jsonl',
    scanner: { scan: () => Promise.resolve([]) },
    countWhileReading: true,
  });
  assert.ok(opened.ok);
  return opened.session;
}

/** The totals of a kind in the report and in the expectations. */
function compare(report: WasteReport, expected: readonly ExpectedWaste[]) {
  const kinds = [...new Set(expected.map(({ kind }) => kind))];
  assert.deepEqual(
    [...new Set(report.findings.map(({ kind }) => kind))].sort(),
    kinds.sort(),
    'the kinds that are named',
  );
  for (const kind of kinds) {
    const found = report.findings.filter(finding => finding.kind === kind);
    const wanted = expected.filter(plant => plant.kind === kind).map(({ figures }) => figures());
    const error = Math.max(...found.map(finding => finding.error));
    const near = (name: string, actual: number, target: number): void => {
      // Only the lines of an output that a flag leaves out count: the plant is all but its head.
      const share = Math.abs(actual - target) / target;
      assert.ok(share <= error, `${kind}, ${name}: ${actual} instead of ${target}, stated error ${error}`);
    };
    const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
    near('tokens', sum(found.map(({ tokens }) => tokens)), sum(wanted.map(({ tokens }) => tokens)));
    near(
      'carried',
      sum(found.map(({ cached, fresh }) => cached + fresh)),
      sum(wanted.map(({ cached, fresh }) => cached + fresh)),
    );
    near('money', sum(found.map(({ money }) => money ?? 0)), sum(wanted.map(({ dollars }) => dollars)));
  }
}

describe('planted waste', () => {
  for (const plants of aloneAndInPairs(wastePlants)) {
    it(`is found with its figures, and nothing else: ${plants.map(({ kind }) => kind).join(' and ')}`, async () => {
      const { session, expected } = sessionWith(plants);
      const opened = await open(plantedCapture(session));
      compare(await wasteOf(opened), expected);
    });
  }

  for (const exposure of exposurePlants) {
    it(`is found beside an exposure, which is no waste: ${exposure.kind}`, async () => {
      const { session, expected } = sessionWith(wastePlants.slice(0, 1));
      exposure.plant(session, 'cedar');
      compare(await wasteOf(await open(plantedCapture(session))), expected);
    });
  }

  it('is none in a session without any', async () => {
    const { session } = sessionWith([]);
    assert.deepEqual((await wasteOf(await open(plantedCapture(session)))).findings, []);
  });

  it('is found in Claude Code’s lines as far as they hold it', async () => {
    const held = wastePlants.filter(({ kind }) => kind !== 'unusedServer' && kind !== 'unusedTools');
    for (const plant of held) {
      const { session, expected } = sessionWith([plant]);
      compare(await wasteOf(await open(plantedClaudeCode(session))), expected);
    }
  });

  it('never comes to more than the input', async () => {
    const { session } = sessionWith(wastePlants);
    const { saved, input, findings } = await wasteOf(await open(plantedCapture(session)));
    const blocks = findings.flatMap(finding => finding.blocks.map(({ block }) => block));
    assert.equal(new Set(blocks).size, blocks.length, 'a block counts twice');
    assert.ok(saved.cached <= input.cached && saved.fresh <= input.fresh);
    assert.ok((saved.money ?? 0) > 0 && (saved.money ?? 0) < (input.money ?? 0));
  });
});
