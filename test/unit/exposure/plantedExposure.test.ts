import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exposureReport, type SecretReport } from '../../../src/core/exposure/exposureReport';
import { sensitiveItemsIn } from '../../../src/core/exposure/secretPlaces';
import { openTranscript } from '../../../src/core/session/openTranscript';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';
import {
  exposurePlants,
  type ExpectedSecret,
  headPlants,
  type PlantedExposure,
} from '../../fixtures/planted/exposurePlants';
import { aloneAndInPairs, type Plant } from '../../fixtures/planted/plant';
import { type Piece, PlantedSession } from '../../fixtures/planted/plantedSession';
import { plantedCapture, plantedClaudeCode } from '../../fixtures/planted/plantedWriters';
import { sourceOf } from '../../fixtures/transcriptBytes';

const writers = { capture: plantedCapture, 'Claude Code': plantedClaudeCode } as const;

/** A session with things planted, between some talk. */
function sessionWith(plants: readonly Plant<ExpectedSecret>[]) {
  const session = new PlantedSession();
  session.system('You help in a bookshop.');
  session.talk(2);
  const expected = plants.map((plant, number) => plant.plant(session, `shelf-${number + 1}`));
  session.talk(1);
  return { session, expected };
}

async function reportOf(text: string) {
  const result = await openTranscript(sourceOf(Buffer.from(text)), {
    fileName: 'planted.jsonl',
    scanner: secretScanner,
    countWhileReading: true,
    scanWhileReading: true,
  });
  assert.ok(result.ok, 'the session is not read');
  await result.session.scan();
  const items = await sensitiveItemsIn(result.session);
  return { report: exposureReport(result.session.toSession(), items), session: result.session };
}

const kinds: Readonly<Record<Piece['kind'], string>> = {
  tool: 'toolSchema',
  memory: 'injected',
  system: 'systemPrompt',
  prompt: 'prompt',
  summary: 'summary',
  thinking: 'thinking',
  reply: 'assistant',
  call: 'toolCall',
  result: 'toolResult',
  image: 'image',
};

const placeText = (kind: string, member: string | null): string => `${kind} ${member ?? '-'}`;

/** The compared members: everything except the rule, and the lines, which the writers choose. */
function wanted(session: PlantedSession, exposure: PlantedExposure, isCapture: boolean): string {
  const { pieces, member, requests, cached, first, last, stillSent, ended, models } = exposure;
  const places = pieces.map(piece =>
    placeText(
      kinds[session.piece(piece).kind],
      member?.piece === piece ? (member.name ?? '[redacted]') : null,
    ),
  );
  return JSON.stringify({
    places,
    requests,
    cached,
    first,
    last,
    stillSent,
    ended: isCapture && ended !== null ? 'gone' : ended,
    models: Object.entries(models).sort(([one], [other]) => one.localeCompare(other)),
  });
}

function found(secret: SecretReport, isCapture: boolean): string {
  const { places, requests, cached, first, last, stillSent, conversations, models } = secret;
  const ended = conversations[0]?.ended ?? null;
  assert.ok(conversations.length === 1 && models.every(({ provider }) => provider === 'Anthropic'));
  return JSON.stringify({
    places: [
      ...new Set(places.map(({ kind, member }) => placeText(kind, member?.replace(/: .*\]/, ']') ?? null))),
    ],
    requests,
    cached: cached?.requests,
    first: first?.request,
    last: last?.request,
    stillSent,
    ended: isCapture && ended !== null ? 'gone' : ended,
    models: models
      .map(({ model, requests: count }) => [model, count])
      .sort(([one], [other]) => String(one).localeCompare(String(other))),
  });
}

describe('exposure of planted secrets', () => {
  for (const [name, write] of Object.entries(writers)) {
    const isCapture = write === plantedCapture;
    const plants = isCapture ? [...exposurePlants, ...headPlants] : exposurePlants;
    for (const together of aloneAndInPairs(plants)) {
      it(`is found as the script has it: ${name}, ${together.map(({ kind }) => kind).join(' and ')}`, async () => {
        const { session, expected } = sessionWith(together);
        const { report } = await reportOf(write(session));
        assert.deepEqual(
          report.secrets.map(secret => found(secret, isCapture)).sort(),
          expected.map(secret => wanted(session, secret.exposure(session), isCapture)).sort(),
        );
        const text = JSON.stringify(report);
        assert.ok(expected.every(({ secret }) => !text.includes(secret.slice(0, 12))));
      });
    }
  }
});
