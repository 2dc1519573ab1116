import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { base64 } from '../../../src/core/base/base64';
import { escapeMarkup } from '../../../src/core/base/escapeMarkup';
import { arrayAt, member, objectAt, stringAt } from '../../../src/core/base/json';
import { exportText } from '../../../src/core/export/exports';
import { sharePreviews, sharePreviewText } from '../../../src/core/export/sharePreview';
import {
  type ExportKind,
  exportKinds,
  type ShareLevel,
  shareLevels,
} from '../../../src/core/model/exportForm';
import { defaultPruneOptions } from '../../../src/core/model/pruneConfig';
import type { TranscriptSession } from '../../../src/core/session/transcriptSession';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';
import { ClaudeCodeSession, sourceText } from '../../fixtures/claudeCodeSession';
import { promptIrFromJson } from '../../fixtures/promptIrFromJson';
import { openCounted } from '../../fixtures/prunedCopies';
import { markupDefect } from '../../fuzz/markupChecks';

const secret = 'Xk29vTq81LmZ';
const hostile = '"><script>alert(1)</script><img src=x onerror=alert(2)>';

async function exported(kind: ExportKind, level: ShareLevel = 'redacted'): Promise<string> {
  const session = await openCounted(
    new ClaudeCodeSession()
      .prompt(`${hostile} DB_PASSWORD=${secret}`)
      .reply({ tool: 'Bash', id: 'toolu_a', input: { command: hostile } })
      .result('toolu_a', `${sourceText(1, 9_000)} ${secret}`)
      .reply({ text: 'Done.' })
      .toString(),
  );
  await session.scan();
  return exportText(kind, { ...inputOf(session), request: 1, level });
}

function inputOf(session: TranscriptSession) {
  return {
    session,
    request: 0,
    options: defaultPruneOptions(),
    colour: 'sensitivity',
    scanner: secretScanner,
    identity: { irId: '00000000-0000-4000-8000-000000000000', createdAt: '2026-01-05T09:00:00Z' },
  } as const;
}

describe('reports', () => {
  it('escape foreign text, hold no script, load nothing and print no secret', async () => {
    for (const kind of ['html', 'svg'] as const) {
      const text = await exported(kind);
      assert.ok(!text.includes('<script') && !text.includes('<img'), kind);
      assert.ok(text.includes('&lt;script&gt;'), kind);
      assert.ok(!text.includes(secret), kind);
      assert.doesNotMatch(text.replace(/"[^"]*"/g, '""'), /<[^>]*\b(?:src|href)=/, kind);
      assert.doesNotMatch(text, /url\((?!#)|@import/, kind);
    }
    assert.match(await exported('html'), /default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='/);
  });

  it('know the secrets in names and ids of tool calls', async () => {
    const password = ['1Zb9Qie3', 'aF9x582'].join('');
    const tool = `curl -sS -u deploy:${password} https://ci.quillworks.io/job`;
    const session = await openCounted(
      new ClaudeCodeSession()
        .prompt('Go')
        .reply({ tool, id: `toolu-${tool}`, input: {} })
        .result(`toolu-${tool}`, 'Done.')
        .reply({ text: 'Done.' })
        .toString(),
    );
    await session.scan();
    const json = await exportText('json', {
      session,
      request: 1,
      options: defaultPruneOptions(),
      colour: 'sensitivity',
      scanner: secretScanner,
      level: 'redacted',
      identity: { irId: '00000000-0000-4000-8000-000000000000', createdAt: '2026-01-05T09:00:00Z' },
    });
    assert.ok(!json.includes(password));
  });

  it('are well-formed, also where a share is too small to be counted', async () => {
    const session = await openCounted(
      new ClaudeCodeSession()
        .prompt('Go')
        .reply({ text: 'Done.' })
        .toString()
        .replaceAll(/"input_tokens":\d+/g, '"input_tokens":90000'),
    );
    for (const kind of ['html', 'svg'] as const) {
      const text = await exportText(kind, {
        session,
        request: 0,
        options: defaultPruneOptions(),
        colour: 'role',
        scanner: secretScanner,
        level: 'redacted',
        identity: { irId: '00000000-0000-4000-8000-000000000000', createdAt: '2026-01-05T09:00:00Z' },
      });
      assert.equal(markupDefect(text), undefined, kind);
    }
  });

  it('say that output is recorded too low, and what the cost is by an estimate', async () => {
    const session = await openCounted(
      new ClaudeCodeSession()
        .prompt('Go')
        .reply({ text: sourceText(1, 4_000) })
        .toString()
        .replaceAll(/"version":"[^"]*"/g, '"version":"2.1.30"')
        .replaceAll(/"output_tokens":\d+/g, '"output_tokens":1'),
    );
    const html = await exportText('html', {
      session,
      request: 0,
      options: defaultPruneOptions(),
      colour: 'sensitivity',
      scanner: secretScanner,
      level: 'redacted',
      identity: { irId: '00000000-0000-4000-8000-000000000000', createdAt: '2026-01-05T09:00:00Z' },
    });
    assert.match(html, /<dt>Cost at list prices<\/dt><dd>≥ \$/);
    assert.match(html, /Cost with the output estimated from the replies: about \$/);
    assert.match(html, /The recorded output of 1 request is too low\./);
    assert.match(html, /recorded output 1, about [1-9][\d,]{2,} in the reply itself \(estimated\)/);
    assert.doesNotMatch(await exported('html'), /too low/);
  });

  it('name the findings of the request by rule and line', async () => {
    assert.match(
      await exported('html'),
      /<td>Password or key in an assignment<\/td><td><span class="restricted" title="restricted">/,
    );
  });

  it('draw every block that is wide enough, and what is not recorded', async () => {
    const svg = await exported('svg');
    // The unrecorded part has only an outline, its name, and its size next to the lane.
    assert.match(svg, /stroke-dasharray="3 3"\/><path [^>]*\/><text [^>]*>Not recorded</);
    assert.match(svg, />Identity<\/text><text [^>]*>\d+ % · [\d.]+k</);
    // The prompt holds a password: a frame and a sign.
    assert.match(svg, /fill="var\(--sensitivity-2\)"\/><path [^>]*stroke="var\(--mark-2\)" stroke-width="2"/);
    assert.match(svg, /<rect [^>]*fill="var\(--mark-2\)"\/><path [^>]*fill="var\(--mark-2-text\)"/);
    // The call is narrow, and its result continues over five rows.
    const blocks = svg.matchAll(/<rect [^>]*width="([\d.]+)" height="23" fill="var\(--sensitivity-0\)"/g);
    assert.deepEqual(
      [...blocks].map(([, width]) => Number(width) > 100),
      [false, true, true, true, true, true],
    );
    assert.match(svg, /stroke="var\(--ice\)" stroke-width="2"\/>.*>cached to here [\d,]+ · new [\d,]+</s);
    assert.match(svg, /Identity.*Knowledge.*State.*History/s);
  });

  it('are written where the schema of a tool was cut off in the recording', async () => {
    const value = (stringValue: string) => ({ stringValue });
    const schema = JSON.stringify({ type: 'function', function: { name: 'search', description: 'Finds' } });
    const attributes = {
      'openinference.span.kind': 'LLM',
      'llm.model_name': 'gpt-4o',
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.content': 'Find it.',
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.content': 'Found.',
      'llm.tools.0.tool.json_schema': schema.slice(0, -12),
    };
    const span = {
      traceId: '5b8efff798038103d269b633813fc60c',
      spanId: 'eee19b7ec3c1b174',
      name: 'llm',
      startTimeUnixNano: '1767603600000000000',
      endTimeUnixNano: '1767603601000000000',
      attributes: Object.entries(attributes).map(([key, text]) => ({ key, value: value(text) })),
    };
    const session = await openCounted(
      JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
    );
    for (const kind of exportKinds) {
      for (const level of shareLevels) {
        const text = await exportText(kind, { ...inputOf(session), level });
        assert.ok(kind !== 'json' || level === 'figures' || text.includes('Find it.'), level);
      }
    }
  });

  it('take everything sensitive out of JSON unless it is to be kept', async () => {
    const text = await exported('json');
    assert.ok(!text.includes(secret));
    const context = objectAt(JSON.parse(text), 'context');
    assert.equal(member(context, 'redacted'), true);
    const ir = promptIrFromJson(member(context, 'promptIr'));
    assert.ok(ir.ok);
    assert.deepEqual(
      ir.value.blocks.map(({ role }) => role),
      ['user', 'assistant', 'tool'],
    );
    assert.ok(ir.value.blocks[0]?.content.endsWith('DB_PASSWORD=[redacted: credentialAssignment]'));
    assert.deepEqual(
      arrayAt(context, 'findings').map(finding => [member(finding, 'position'), stringAt(finding, 'rule')]),
      [[0, 'credentialAssignment']],
    );
    assert.equal(arrayAt(objectAt(context, 'fingerprint'), 'turnHashes').length, 3);
    assert.ok((await exported('json', 'full')).includes(secret));
  });

  it('write base64 and escape what markup cannot hold', () => {
    for (const length of [0, 1, 2, 3, 4, 5]) {
      const bytes = Buffer.from([251, 240, 1, 2, 255]).subarray(0, length);
      assert.equal(base64(bytes), bytes.toString('base64'));
    }
    assert.equal(escapeMarkup(`a\u0000\ud800<'"&\u202e`), 'a[U+0000]\ufffd&lt;&#39;&quot;&amp;[U+202E]');
  });
});

describe('sharing', () => {
  const words = 'Zanzibar Quokka';
  const written = (): string =>
    new ClaudeCodeSession('5f0c1d1e-8a44-4c1b-9a5e-0d4f7c2b1a90', `/home/${words}`)
      .prompt(`${words} DB_PASSWORD=${secret}`)
      .reply({ thinking: words }, { tool: `mcp__${words}__x`, id: 'toolu_a', input: { file_path: words } })
      .result('toolu_a', `${words} ${sourceText(1, 9_000)} ${secret}`)
      .reply({ text: words })
      .prompt(words)
      .reply({ text: words })
      .toString()
      .replace('claude-sonnet-4-5-20250929', words);

  const input = async () => {
    const session = await openCounted(written());
    await session.scan();
    return {
      session,
      request: 2,
      options: defaultPruneOptions(),
      colour: 'sensitivity',
      scanner: secretScanner,
      identity: { irId: '00000000-0000-4000-8000-000000000000', createdAt: '2026-01-05T09:00:00Z' },
    } as const;
  };

  it('figures alone hold no word of the transcript, and the same figures', async () => {
    const given = await input();
    for (const kind of exportKinds) {
      const [figures, redacted, full] = await Promise.all(
        (['figures', 'redacted', 'full'] as const).map(level => exportText(kind, { ...given, level })),
      );
      assert.ok(figures !== undefined && redacted !== undefined && full !== undefined);
      assert.doesNotMatch(figures, /Zanzibar|Quokka|toolu_a/, kind);
      assert.ok(!figures.includes(secret), kind);
      assert.match(redacted, /Zanzibar/, kind);
      assert.ok(!redacted.includes(secret), kind);
      if (kind === 'json') {
        assert.ok(full.includes(secret));
        const [first, second] = [figures, redacted].map(text => objectAt(JSON.parse(text), 'report'));
        for (const name of ['tokens', 'partitions', 'prune', 'cost', 'sensitivity']) {
          assert.deepEqual(member(first, name), member(second, name), name);
        }
        // A hash would confirm a guess of a short text.
        const hashes = (report: unknown): readonly unknown[] =>
          arrayAt(report, 'largestBlocks').map(block => member(block, 'contentHash'));
        assert.deepEqual(hashes(first), ['', '', '', '', '', '']);
        assert.match(hashes(second).join(), /^([0-9a-f]{16},?){6}$/);
      }
    }
  });

  it('can be seen before, by count', async () => {
    const [figures, redacted, full] = await sharePreviews('json', await input());
    assert.ok(redacted !== undefined && figures !== undefined && full !== undefined);
    assert.deepEqual([figures.level, redacted.level, full.level], ['figures', 'redacted', 'full']);
    assert.ok(redacted.replaced >= 2 && redacted.secrets === 0 && full.secrets === redacted.replaced);
    assert.equal(redacted.texts, full.texts);
    assert.deepEqual(
      [figures.texts, figures.labels, figures.tools, figures.secrets],
      [0, 0, 0, 0],
      'figures hold no text',
    );
    assert.equal(redacted.tools, 1);
    assert.deepEqual([redacted.models, figures.models], [2, 1], 'one of the models is not known');
    const [page] = await sharePreviews('html', await input());
    assert.equal(page?.texts, 0);
    assert.match(
      sharePreviewText(full),
      /^Contains \d+ whole texts, \d+ labels?, 1 tool name, 2 model names, sizes, kinds and times\./,
    );
    assert.match(sharePreviewText(full), /Includes \d+ places with a credential/);
    const leaving = redacted.texts + redacted.labels + redacted.tools;
    assert.ok(
      sharePreviewText(redacted).includes(
        `${leaving} texts leave the transcript, perhaps with secrets that no rule knows.`,
      ),
    );
    assert.doesNotMatch(sharePreviewText(figures) + sharePreviewText(full), /leave/);
  });
});
