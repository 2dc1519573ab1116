import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatMoney } from '../../../src/core/base/format';
import { lookUpModel } from '../../../src/core/tokens/modelTable';
import { doubtfulOutput, lowOutput, recordAgrees } from '../../../src/core/view/requestOutput';
import { missingCost } from '../../../src/core/tokens/costNotes';
import { cacheShare, costText, knownCost, recordedText } from '../../../src/core/tokens/usageFigures';
import { sessionCost } from '../../../src/core/view/sessionCost';
import { HandMade, measuresOf, toColumns } from './handMade';

/** Two threads, two known models and one unknown model. */
function sampleColumns() {
  const made = new HandMade();
  const prompt = made.prompt('hello');
  made.builder.contexts.push([prompt]);
  // 100 × 5 + 1,000 × 0.5 + 2,000 × 10 (for an hour) + 40 × 25 = 500 + 500 + 20,000 + 1,000 millionths.
  made.request(0, 1, {
    model: 'claude-opus-4-5',
    usage: { input: 100, cacheRead: 1_000, cacheWrite: 2_000, output: 40, cacheLifetime: 3600 },
  });
  // 1,500 of 2,000 for five minutes: 500 × 10 + 1,500 × 6.25 = 5,000 + 9,375 millionths.
  made.request(0, 1, {
    model: 'claude-opus-4-5',
    usage: { input: 0, cacheRead: 0, cacheWrite: 2_000, output: 0, cacheLifetime: 3600, cacheWriteHour: 500 },
  });
  // 1,000 × 1 + 10 × 5 millionths.
  made.request(0, 1, {
    thread: 1,
    model: 'claude-haiku-4-5',
    outputDoubtful: true,
    usage: { input: 1_000, cacheRead: 0, cacheWrite: 0, output: 10 },
  });
  made.request(0, 1, { model: 'acme-1', usage: { input: 900, cacheRead: 0, cacheWrite: 0, output: 1 } });
  made.request(0, 1, { model: 'claude-opus-4-5' });
  const transcript = made.build();
  return toColumns(
    transcript,
    measuresOf(transcript, () => 1),
  );
}

const models = ['claude-opus-4-5', 'claude-haiku-4-5'].flatMap(id => {
  const row = lookUpModel(id);
  return row === undefined ? [] : [{ id, row }];
});

/** Dollars as whole billionths. */
const billionths = (dollars: number): number => Math.round(dollars * 1e9);

describe('sessionCost', () => {
  it('sums by model, thread and request, and says what is not in the sum', () => {
    const { total, byModel, byThread, byRequest } = sessionCost(sampleColumns(), models);
    assert.deepEqual([...byRequest].map(billionths), [
      22_000_000,
      14_375_000,
      1_050_000,
      Number.NaN,
      Number.NaN,
    ]);
    assert.deepEqual(
      [total.input, total.cacheRead, total.cacheWrite, total.output],
      // 100 + 1,000 + 900; 1,000; 2,000 + 2,000; 40 + 10 + 1.
      [2_000, 1_000, 4_000, 51],
    );
    assert.deepEqual(
      [billionths(total.money), total.requests, total.unpriced, total.lowOutput, total.withoutInput],
      [37_425_000, 4, 1, 1, 0],
    );
    assert.deepEqual(
      byModel.map(({ model, money, requests, unpriced }) => [model, billionths(money), requests, unpriced]),
      [
        ['claude-opus-4-5', 36_375_000, 2, 0],
        ['claude-haiku-4-5', 1_050_000, 1, 0],
        ['acme-1', 0, 1, 1],
      ],
    );
    assert.deepEqual(
      byThread.map(({ thread, money }) => [thread, billionths(money)]),
      [
        [0, 36_375_000],
        [1, 1_050_000],
      ],
    );
  });

  it('takes the cost that an agent recorded if no price is known, and says why a cost is missing', () => {
    const costOf = (model: string, ...costs: readonly (number | undefined)[]) => {
      const made = new HandMade();
      made.builder.contexts.push([made.prompt('hello')]);
      for (const cost of costs) {
        const usage = { input: 1_000, cacheRead: 0, cacheWrite: 0, output: 0 };
        made.request(0, 1, { model, usage: cost === undefined ? usage : { ...usage, cost } });
      }
      made.request(0, 1, { model });
      const transcript = made.build();
      const columns = toColumns(
        transcript,
        measuresOf(transcript, () => 1),
      );
      const cost = sessionCost(columns, models);
      return [
        costText(knownCost(cost.total)),
        recordedText(knownCost(cost.total), 'opencode'),
        missingCost(cost, columns.requests.thread.length),
      ];
    };
    const opencode = 'Recorded by opencode: $0.98';
    assert.deepEqual(costOf('claude-opus-4-5', 0.5, 0.48).slice(0, 2), ['$0.01', opencode]);
    assert.deepEqual(costOf('acme-1', 0.5, 0.48).slice(0, 2), ['$0.98 recorded', opencode]);
    assert.deepEqual(costOf('acme-1', 0.5, undefined).slice(0, 1), ['≥ $0.50 recorded']);
    assert.deepEqual(costOf('acme-1', 0, 0), ['', undefined, 'no price known for acme-1']);
    assert.deepEqual(costOf('acme-1'), ['', undefined, 'usage is not recorded']);
    assert.deepEqual(costOf('', undefined), ['', undefined, 'the model is not recorded']);
  });

  it('sums what is recorded, and names apart what the replies say of an output that is recorded too low', () => {
    const made = new HandMade();
    const prompt = made.prompt('hello');
    const reply = made.block({ label: 'reply', role: 'assistant', kind: 'assistant' });
    const other = made.block({ label: 'other', role: 'assistant', kind: 'assistant' });
    made.builder.contexts.push([prompt]);
    const usage = { input: 1_000, cacheRead: 0, cacheWrite: 0, output: 12 };
    made.request(0, 1, { model: 'gpt-4o', usage, outputDoubtful: true, reply: [reply, other] });
    made.request(0, 1, { model: 'gpt-4o', usage, outputDoubtful: true });
    made.request(0, 1, { model: 'gpt-4o', usage, reply: [reply] });
    const transcript = made.build();
    const columns = toColumns(
      transcript,
      measuresOf(transcript, block => (block === reply ? 300 : 40)),
    );
    const row = lookUpModel('gpt-4o');
    assert.ok(row !== undefined);
    const { total, byRequest, estimated } = sessionCost(columns, [{ id: 'gpt-4o', row }]);
    // At scale 1, because the tokenizer is the model's own: 1,000 × 2.5 + (300 + 40) × 10, and 1,000 × 2.5 + 12 × 10
    // millionths.
    assert.deepEqual([...byRequest].map(billionths), [2_620_000, 2_620_000, 2_620_000]);
    assert.deepEqual([billionths(total.money), total.lowOutput], [7_860_000, 2]);
    assert.ok(estimated !== undefined);
    const { money, byRequest: withEstimate, ...tokens } = estimated;
    assert.deepEqual(tokens, { requests: 1, recorded: 12, estimated: 340 });
    assert.equal(billionths(money), 11_140_000);
    assert.deepEqual(
      [...withEstimate].map(([request, dollars]) => [request, billionths(dollars)]),
      [[0, 5_900_000]],
    );
    assert.equal(doubtfulOutput(columns, 0)?.estimate?.quality, 'estimated');
    assert.deepEqual(doubtfulOutput(columns, 1), { recorded: 12, estimate: undefined });
    assert.deepEqual(lowOutput(columns, 1), { recorded: 12, estimate: undefined });
    assert.equal(doubtfulOutput(columns, 2), undefined);
  });

  it('never estimates less than what is recorded', () => {
    const made = new HandMade();
    const prompt = made.prompt('hello');
    made.builder.contexts.push([prompt]);
    made.request(0, 1, {
      model: 'gpt-4o',
      usage: { input: 1_000, cacheRead: 0, cacheWrite: 0, output: 90 },
      outputDoubtful: true,
      reply: [prompt],
    });
    const transcript = made.build();
    const columns = toColumns(
      transcript,
      measuresOf(transcript, () => 7),
    );
    assert.equal(doubtfulOutput(columns, 0)?.estimate?.value, 90);
    assert.equal(lowOutput(columns, 0), undefined, 'the reply confirms the record');
  });

  it('calls an output low only if the reply exceeds the record by more than the error of the estimate', () => {
    const figure = { value: 100, quality: 'estimated', error: 0.14 } as const;
    assert.deepEqual(
      [85, 86, 99, 276].map(recorded => recordAgrees(recorded, figure)),
      [false, true, true, true],
    );
    assert.equal(recordAgrees(99, { value: 100, quality: 'estimated' }), false);
  });

  it('knows no money without prices', () => {
    const { total } = sessionCost(sampleColumns(), []);
    assert.deepEqual([total.money, total.requests, total.unpriced], [0, 4, 4]);
    assert.equal(costText(knownCost(total)), '');
  });

  it('marks a cost as a lower bound where prices, input or part of the output are not recorded', () => {
    const made = new HandMade();
    made.builder.contexts.push([made.prompt('hello')]);
    const whole = { input: 1_000_000, cacheRead: 0, cacheWrite: 0, output: 0 };
    const outputAlone = { input: 0, cacheRead: 0, cacheWrite: 0, output: 100_000 };
    const nothing = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
    made.request(0, 1, { model: 'gpt-4o', usage: whole });
    made.request(0, 1, { model: 'acme-1', usage: nothing });
    made.request(0, 1, { model: 'gpt-4o', usage: outputAlone });
    made.request(0, 1, { model: 'gpt-4o', usage: whole, outputDoubtful: true });
    made.request(0, 1, { model: 'acme-1', usage: whole });
    const transcript = made.build();
    const columns = toColumns(
      transcript,
      measuresOf(transcript, () => 1),
    );
    const row = lookUpModel('gpt-4o');
    const known = row === undefined ? [] : [{ id: 'gpt-4o', row }];
    const shown = (...chosen: readonly number[]): string =>
      costText(knownCost(sessionCost(columns, known, request => chosen.includes(request)).total));
    assert.deepEqual(
      [shown(0), shown(0, 1), shown(0, 2), shown(0, 3), shown(0, 4), shown(1), shown(4)],
      ['$2.50', '$2.50', '≥ $3.50', '≥ $5.00', '≥ $2.50', '', ''],
    );
  });
});

describe('cacheShare', () => {
  it('is what was read of all recorded input', () => {
    // 3,100 + 2,000 + 1,000 + 900.
    assert.equal(cacheShare(sessionCost(sampleColumns(), models).total), 1 / 7);
    assert.equal(cacheShare(sessionCost(sampleColumns(), models, () => false).total), undefined);
  });
});

describe('formatMoney', () => {
  it('is to the cent, and below ten cents to two digits', () => {
    assert.deepEqual([0, 0.000123, 0.0456, 0.0999, 0.1, 12.345, 12_345.6, -0.5, -0.0456].map(formatMoney), [
      '$0.00',
      '$0.00012',
      '$0.046',
      '$0.10',
      '$0.10',
      '$12.35',
      '$12,345.60',
      '-$0.50',
      '-$0.046',
    ]);
  });
});
