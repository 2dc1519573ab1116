import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { carriedShares } from '../../../src/core/breakdown/carriedShares';
import { openTranscript } from '../../../src/core/session/openTranscript';
import { PlantedSession } from '../../fixtures/planted/plantedSession';
import { plantedCapture, plantedClaudeCode } from '../../fixtures/planted/plantedWriters';
import { sourceText } from '../../fixtures/claudeCodeSession';
import { sourceOf } from '../../fixtures/transcriptBytes';

/** A session with one of every piece, a pause, another model, a clearing and a compaction. */
function everyPiece() {
  const session = new PlantedSession();
  session.system('You help in a bookshop. Answer at length and say what is unsure.');
  session.memory('/home/ada/bookshop/CLAUDE.md', sourceText(1, 900));
  session.tool('mcp__shop__find', 'Finds a book by its title.');
  session.prompt('Where do the poets stand?');
  session.image(1);
  session.thinking('I look at the shelves first.');
  const reading = session.read('/home/ada/bookshop/shelves.ts', sourceText(2, 3000));
  session.reply('They stand on the left.');
  session.talk(2);
  session.wait(400);
  session.edit('/home/ada/bookshop/shelves.ts', 'left', 'right');
  session.bash('npm test', sourceText(3, 1500));
  session.model('claude-opus-4-5-20251101');
  session.talk(2);
  const [notice = -1] = session.clear([reading.result]);
  session.talk(2);
  session.compact(
    'This session is being continued from a previous conversation that ran out of context. They spoke of poets.',
  );
  const picture = session.call('mcp__shop__find', { title: 'Elegies' });
  session.resultImage(picture, 2);
  session.talk(1);
  return { session, reading, notice };
}

async function opened(text: string) {
  const result = await openTranscript(sourceOf(Buffer.from(text)), {
    fileName: 'planted.jsonl',
    scanner: { scan: () => Promise.resolve([]) },
    countWhileReading: true,
  });
  assert.ok(result.ok, 'the session is not read');
  return { open: result.session, session: result.session.toSession() };
}

describe('a planted session', () => {
  it('computes what pieces come to from the script', () => {
    const { session, reading, notice } = everyPiece();
    const requests = session.requests();
    const tokens = session.tokensOf(reading.result);
    const figures = session.figures([reading.result]);
    const carrying = requests.filter(({ pieces }) => pieces.includes(reading.result));
    assert.equal(figures.requests, carrying.length);
    assert.equal(figures.cached + figures.fresh, tokens * carrying.length);
    // In full when it is new, after the pause and with the other model.
    assert.equal(figures.fresh, 3 * tokens);
    assert.ok(Math.abs(figures.dollars - (tokens * (2 * 3.75 + 6.25 + 0.3 * 2 + 0.5)) / 1e6) < 1e-9);
    assert.equal(session.figures([notice]).requests, 2);
    assert.deepEqual(session.figures([reading.result], requests.length).requests, 0);
  });

  it('is read from a capture with all its pieces, tokens and costs', async () => {
    const { session } = everyPiece();
    const read = await opened(plantedCapture(session));
    const { columns, summary } = read.session;
    const expected = session.requests();
    assert.deepEqual(
      [...columns.requests.length],
      expected.map(({ pieces }) => pieces.length),
    );
    assert.deepEqual(
      [...columns.requests.cacheRead],
      expected.map(({ cached }) => cached),
    );
    const everything = session.figures(session.pieces.map((_, number) => number));
    const shares = carriedShares(columns, summary.models);
    const money = shares.reduce(
      (sum, share) => share.money.reduce((inner, dollars) => inner + dollars, sum + share.notRecorded.money),
      0,
    );
    assert.ok(Math.abs(money - everything.dollars) < 1e-6, `${money} and ${everything.dollars}`);
  });

  it('is read from Claude Code’s lines', async () => {
    const { session } = everyPiece();
    const { columns, summary } = (await opened(plantedClaudeCode(session))).session;
    const expected = session.requests();
    assert.equal(summary.format, 'claude-code');
    assert.deepEqual(
      [...columns.requests.length],
      expected.map(
        ({ pieces }) =>
          pieces.filter(number => !['tool', 'system'].includes(session.piece(number).kind)).length,
      ),
    );
    assert.deepEqual(
      [...columns.requests.cacheRead],
      expected.map(({ cached }) => cached),
    );
    assert.deepEqual(
      summary.compactions.map(({ kind }) => kind),
      ['clearing', 'compaction'],
    );
  });
});
