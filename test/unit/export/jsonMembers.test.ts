import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { inspectReport } from '../../../src/core/export/inspectReport';
import { member, objectAt } from '../../../src/core/base/json';
import { exportText } from '../../../src/core/export/exports';
import { fileFindings } from '../../../src/core/export/fileFindings';
import { sensitiveItemsIn } from '../../../src/core/exposure/secretPlaces';
import { requestsOfThread } from '../../../src/core/model/requestBlocks';
import { defaultPruneOptions } from '../../../src/core/model/pruneConfig';
import type { TranscriptSession } from '../../../src/core/session/transcriptSession';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';
import { ClaudeCodeSession, sourceText } from '../../fixtures/claudeCodeSession';
import { openCounted } from '../../fixtures/prunedCopies';

// Scripts read these members. New ones may be added; none may be removed.
const inspectMembers = {
  '': 'format agent model conversation requests messages blocks subagents compactions problems drift leftOut usage subagentUsage cost cacheShare session jumps findings exposure request prune',
  usage: 'input cacheRead cacheWrite output',
  cost: 'total isLeast recorded unpricedRequests doubtfulRequests outputOnlyRequests estimatedOutput byModel',
  'cost.estimatedOutput': 'requests recorded estimated total',
  session: 'requests input cacheRead cacheWrite output cost isLeast recordedCost cacheShare',
  request:
    'index tokens window windowSource otherWindow cost doubtfulOutput attribution partitions notRecorded notRecordedParts frozen sensitivity',
  'request.doubtfulOutput': 'recorded estimate cost',
  'request.notRecordedParts': 'own yours came found jump cause left',
  'request.frozen': 'recordedTokens predictedTokens predictedBlocks frozenPrefixLen',
  exposure: 'secrets blocks',
  prune: 'ruleSet config candidates candidateCount tokensFreed executes',
};
const reportMembers = {
  '': 'schema version report context',
  report:
    'title request requests tokens window windowSource otherWindow partitions notRecorded notRecordedParts frozen usage cost problems largestBlocks cache prune sensitivity found exposure',
  'report.usage':
    'requests input cacheRead cacheWrite output money unpriced lowOutput withoutInput recordedMoney recordedCosts unpricedTerms unpricedExtras doubtedInput',
  'report.cost':
    'input cacheRead cacheWrite output tools total recordedTotal requests unpriced estimated doubtful',
  'report.frozen': 'recorded predicted',
  'report.prune': 'options ruleSets',
  'report.exposure': 'secrets blocks',
};

/** Members that the JSON lacks. */
function missing(json: unknown, members: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(members).flatMap(([path, names]) => {
    const holder = path
      .split('.')
      .reduce((inner: unknown, name) => (name === '' ? inner : member(inner, name)), json);
    return names
      .split(' ')
      .filter(name => member(holder, name) === undefined)
      .map(name => `${path}.${name}`);
  });
}

describe('the JSON that scripts read', () => {
  let session: TranscriptSession;
  before(async () => {
    // This version's recorded output is too low.
    session = await openCounted(
      new ClaudeCodeSession()
        .prompt('Where is the bug?')
        .reply({ tool: 'Read', id: 'toolu_a', input: { file_path: '/a' } })
        .result('toolu_a', sourceText(2, 3_000))
        .reply({ text: sourceText(1, 4_000) })
        .toString()
        .replaceAll(/"version":"[^"]*"/g, '"version":"2.1.30"')
        .replaceAll(/"output_tokens":\d+/g, '"output_tokens":1'),
    );
    await session.scan();
  });

  it('of inspect keeps its members', async () => {
    const report = inspectReport(session, defaultPruneOptions(), {
      index: undefined,
      conversation: 0,
      requests: requestsOfThread(session.toSession().columns, 0),
      findings: await fileFindings(session, secretScanner),
      sensitive: await sensitiveItemsIn(session),
    });
    assert.deepEqual(missing(report, inspectMembers), []);
  });

  it('of a report keeps its members, and its costs are dollars', async () => {
    const text = await exportText('json', {
      session,
      request: 1,
      options: defaultPruneOptions(),
      colour: 'sensitivity',
      scanner: secretScanner,
      level: 'full',
      identity: { irId: '00000000-0000-4000-8000-000000000000', createdAt: '2026-01-05T09:00:00Z' },
    });
    const json: unknown = JSON.parse(text);
    assert.deepEqual(missing(json, reportMembers), []);
    const report = objectAt(json, 'report');
    const [cost, usage] = [objectAt(report, 'cost'), objectAt(report, 'usage')];
    const of = (holder: unknown, ...names: readonly string[]): number =>
      names.reduce((sum, name) => sum + Number(member(holder, name)), 0);
    const total = of(cost, 'total');
    assert.ok(Math.abs(of(cost, 'input', 'cacheRead', 'cacheWrite', 'output') - total) < 1e-9);
    assert.equal(of(cost, 'recordedTotal'), of(usage, 'money'));
    assert.ok(total > of(usage, 'money'), 'the estimated output costs more than the recorded one');
    assert.deepEqual(
      ['requests', 'unpriced', 'estimated', 'doubtful'].map(name => member(cost, name)),
      [2, 0, 2, 0],
    );
  });
});
