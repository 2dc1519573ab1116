import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hindsightParts } from '../../../src/core/prune/hindsight';
import type { KnownLosses } from '../../../src/core/prune/laterRequests';
import { pruneNet, type PruneNet } from '../../../src/core/prune/net';
import { prunePreview } from '../../../src/core/prune/prunePreview';
import { pruneVerdict } from '../../../src/core/prune/verdict';
import { buildRequestView } from '../../../src/core/view/requestView';
import { everything, PricedSession, used } from './pricedSession';

/** One result of 20,007 tokens and 60,000 tokens after it; each later request adds 500 and reads all the others. */
function session(more: number, lost?: number): PricedSession {
  const made = new PricedSession();
  const first = [
    made.prompt(5_000),
    ...made.tool(20_007),
    made.reply(30_000),
    made.prompt(1_000),
    made.reply(28_000),
    made.prompt(1_000),
  ];
  const replies = Array.from({ length: more }, () => made.reply(500));
  const context = made.context(...first, ...replies);
  const size = (at: number): number => 85_107 + 500 * at;
  for (let at = 0; at <= more; at += 1) {
    const read = at === 0 || at === lost ? 0 : size(at - 1);
    made.request(context, 7 + at, used(read, size(at) - read));
  }
  return made;
}

function netOf(made: PricedSession, request: number, losses?: KnownLosses): PruneNet {
  const built = made.build();
  const view = buildRequestView(built.columns, request);
  const net = pruneNet(built, view, prunePreview(built.columns, view, everything), everything, losses);
  return { ...net, quality: 'exact', error: 0 };
}

const number = (request: number): string => String(request + 1);

const sentenceAt = (made: PricedSession, request: number): string =>
  pruneVerdict(netOf(made, request), number(request)).sentence;

describe('the verdict on a prune', () => {
  it('says what it saves, after which rewrite, and when it pays back', () => {
    assert.match(
      sentenceAt(session(40), 1),
      /^Worth it at request 2: saves \$[\d.]+ after a rewrite of \$0\.69, pays back in 34 requests\.$/u,
    );
  });

  it('says why it is not worth it', () => {
    assert.equal(
      sentenceAt(session(2), 2),
      'Not worth it here: this is the last request, so the $0.70 rewrite is never recovered.',
    );
    assert.match(
      sentenceAt(session(5), 1),
      /^Not worth it at request 2: the \$0\.69 rewrite is not recovered in 4 requests until the session ends, so it costs \$0\.59 more\.$/u,
    );
  });

  it('says that nothing has to be rewritten where the cache is cold', () => {
    assert.match(sentenceAt(session(4), 0), /^Worth it at request 1: saves \$[\d.]+, and nothing has to be/u);
  });

  it('does not decide where the error is larger than the gain, and says where prices are unknown', () => {
    const net = netOf(session(40), 1);
    assert.equal(pruneVerdict(net, '2').kind, 'worthIt');
    const rough = pruneVerdict({ ...net, quality: 'estimated', error: 0.3 }, '2');
    assert.equal(rough.kind, 'unsure');
    assert.match(
      rough.sentence,
      /^Can’t tell if it is worth it at request 2: it costs up to \$0\.\d+ more, or saves/u,
    );
    const sure = pruneVerdict({ ...netOf(session(90), 1), quality: 'estimated', error: 0.3 }, '2');
    assert.match(sure.sentence, /^Probably worth it at request 2/u);
    const unknown = pruneVerdict({ ...net, worth: undefined }, '2');
    assert.equal(unknown.kind, 'unknown');
    assert.match(unknown.sentence, /frees 20,000 tokens.*prices are unknown\.$/u);
  });

  it('says in hindsight where it rests on a loss that nobody could foresee', () => {
    const losses: KnownLosses = new Map([[5, { tokens: 87_107, isForeseeable: false }]]);
    const net = netOf(session(39, 5), 1, losses);
    assert.match(pruneVerdict(net, '2').sentence, /^Worth it in hindsight at request 2: saves/u);
    assert.ok(net.worth !== undefined);
    assert.deepEqual(
      hindsightParts(net.worth, undefined, number).map(part => part.replace(/\$[\d.]+/u, '$')),
      ['in hindsight: $ without the loss at request 6'],
    );
    assert.match(sentenceAt(session(39, 5), 1), /^Worth it at request 2: saves/u);
  });

  it('has a curve that ends at what is gained, and is even where it has paid back', () => {
    const { worth } = netOf(session(40), 1);
    assert.ok(worth !== undefined);
    const { curve, gained, paidBackAt } = worth;
    assert.equal(curve.length, 40);
    assert.ok(Math.abs((curve.at(-1)?.saved ?? 0) - gained.money) < 1e-9);
    assert.equal(curve.find(({ saved }) => saved >= 0)?.request, paidBackAt);
    assert.ok((curve[0]?.saved ?? 0) < 0);
  });
});
