import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { wasteOf, wasteText } from '../../../src/core/questions/wasteQuestion';
import { openTranscript } from '../../../src/core/session/openTranscript';
import { repeatedWords } from '../../../src/core/waste/repeatedWords';
import { adviceFor } from '../../../src/core/waste/wasteAdvice';
import { wasteKinds } from '../../../src/core/waste/wasteKinds';
import { withoutKinds } from '../../../src/core/waste/wasteReport';
import { wasteHeadline, WasteWords } from '../../../src/core/waste/wasteWords';
import { PlantedSession } from '../../fixtures/planted/plantedSession';
import { plantedCapture } from '../../fixtures/planted/plantedWriters';
import { wastePlants } from '../../fixtures/planted/wastePlants';
import { sourceOf } from '../../fixtures/transcriptBytes';

async function everyKind(prefix = 'alder') {
  const session = new PlantedSession();
  session.system('You help in a bookshop.');
  wastePlants.forEach((plant, place) => plant.plant(session, `${prefix}${place}`));
  session.talk(24);
  const opened = await openTranscript(sourceOf(Buffer.from(plantedCapture(session))), {
    fileName: 'planted.jsonl',
    scanner: { scan: () => Promise.resolve([]) },
    countWhileReading: true,
  });
  assert.ok(opened.ok);
  return opened.session;
}

describe('waste in words', () => {
  it('has a title, evidence and advice for each kind, and a figure with each', async () => {
    const session = await everyKind();
    const report = await wasteOf(session);
    const words = new WasteWords(session.toSession());
    assert.deepEqual([...new Set(report.findings.map(({ kind }) => kind))].sort(), [...wasteKinds].sort());
    for (const finding of report.findings) {
      const { title, evidence, advice } = words.of(finding);
      assert.ok(title !== '' && /\d/.test(evidence) && advice.text !== '', finding.kind);
    }
    // The planted findings, with `#` in place of each number.
    const found = report.findings.map(finding => {
      const { title, evidence } = words.of(finding);
      return [title, evidence.replace(/\d[\d,]*/g, '#')];
    });
    assert.deepEqual(found, [
      ['Images kept in the context', '# tokens, resent in # requests, image # × #'],
      ['Files read again, unchanged', '# tokens, alder#.ts at #'],
      ['Unused file contents', '# tokens, resent in # requests, alder#.log'],
      ['Stale file reads', '# tokens, resent in # requests, alder#.ts'],
      ['vitest prints every test that passes', '# run, # % of the output: # tokens'],
      ['Outdated page snapshots', '# tokens, resent in # requests, mcp__alder#browser__browser_snapshot'],
      ['alder0depot: 4 tools, never called', '# tokens in each of # requests'],
      ['alder1ledger: 4 tools loaded, 1 called', '# tokens in each of # requests'],
      ['Duplicate instructions', '# tokens in each of # requests'],
    ]);
    const dollars = report.findings.map(({ money }) => money ?? 0);
    assert.deepEqual(
      dollars,
      dollars.toSorted((one, other) => other - one),
    );
  });

  it('leaves out hidden kinds, in the list and in the sums', async () => {
    const report = await wasteOf(await everyKind());
    const rest = withoutKinds(report, ['noisyOutput']);
    const [hidden] = report.findings.filter(({ kind }) => kind === 'noisyOutput');
    assert.equal(rest.findings.length, report.findings.length - 1);
    assert.ok(Math.abs((report.saved.money ?? 0) - (rest.saved.money ?? 0) - (hidden?.money ?? 0)) < 1e-9);
    assert.match(wasteHeadline(rest), /^\$[\d.]+ of \$[\d.]+ input, [\d.]+ %$/);
  });

  it('is copied as Markdown without markup of others and without hidden kinds', async () => {
    const session = await everyKind();
    const text = await wasteText(session, ['noisyOutput', 'image']);
    assert.match(text, /^## Waste and fixes\n/);
    assert.match(text, /- \*\*alder0depot: 4 tools, never called\*\*: \$/);
    assert.doesNotMatch(text, /vitest/);
    const marked = await wasteText(await everyKind('<b>`'), []);
    assert.doesNotMatch(marked, /(?<!\\)<b>/);
  });

  it('names what each agent has to mend it', () => {
    const server = { kind: 'unusedServer', detail: '' } as const;
    const tools = { kind: 'unusedTools', detail: '' } as const;
    const codeFor = (format: string): readonly string[] => [
      adviceFor(server, format, 'figma', []).code,
      adviceFor(tools, format, 'figma', ['mcp__figma__draw']).code,
    ];
    assert.deepEqual(codeFor('claude-code'), [
      'claude mcp remove figma',
      '"permissions": { "deny": ["mcp__figma__draw"] }',
    ]);
    assert.deepEqual(codeFor('codex'), [
      '[mcp_servers.figma]\nenabled = false',
      '[mcp_servers.figma]\ndisabled_tools = ["draw"]',
    ]);
    assert.deepEqual(codeFor('opencode')[0], '"mcp": { "figma": { "enabled": false } }');
    assert.deepEqual(
      codeFor('gemini-cli-chat')[1],
      '"mcpServers": { "figma": { "excludeTools": ["draw"] } }',
    );
    assert.deepEqual(codeFor('copilot-events')[0], '--disable-mcp-server figma');
    assert.deepEqual(codeFor('api-capture'), ['', '']);
  });
});

describe('repeated words', () => {
  const rule = 'Every price is rounded to a cent before it is added to the total of the day';

  it('are found whatever stands between them', () => {
    const found = repeatedWords([
      { block: 1, text: `# Rules\n- ${rule}.\n` },
      { block: 2, text: `Mind this.\n* ${rule.toUpperCase().replaceAll(' ', '\n')}!\nAnd be kind.` },
    ]);
    assert.deepEqual(
      found.map(({ block, original }) => [block, original]),
      [[2, 1]],
    );
    assert.match(found[0]?.text ?? '', /^EVERY[\s\S]*DAY/);
    assert.doesNotMatch(found[0]?.text ?? '', /kind/);
  });

  it('are at least twelve', () => {
    const short = rule.split(' ').slice(0, 11).join(' ');
    assert.deepEqual(
      repeatedWords([
        { block: 1, text: rule },
        { block: 2, text: `So ${short} only` },
      ]),
      [],
    );
  });
});

describe('advice', () => {
  it('puts no name into a command that could do more than name a server', () => {
    const finding = { kind: 'unusedServer', detail: '' } as const;
    assert.equal(adviceFor(finding, 'claude-code', 'figma', []).code, 'claude mcp remove figma');
    for (const server of ['x; rm -rf ~', '$(id)', 'a b', 'x\ny', '"']) {
      assert.equal(adviceFor(finding, 'claude-code', server, []).code, '');
      const tools = { kind: 'unusedTools', detail: '' } as const;
      assert.equal(adviceFor(tools, 'copilot-events', '', ['view', server]).code, '');
    }
  });
});
