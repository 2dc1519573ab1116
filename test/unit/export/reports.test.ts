import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { base64 } from '../../../src/core/base/base64';
import { escapeMarkup } from '../../../src/core/base/escapeMarkup';
import { arrayAt, member, objectAt, stringAt } from '../../../src/core/base/json';
import { type ExportKind, exportText } from '../../../src/core/export/exports';
import { defaultPruneOptions } from '../../../src/core/model/pruneConfig';
import { secretScanner } from '../../../src/node/secretScannerOnDemand';
import { markupDefect } from '../../fuzz/markupChecks';
import { ClaudeCodeSession, sourceText } from '../../fixtures/claudeCodeSession';
import { promptIrFromJson } from '../../fixtures/promptIrFromJson';
import { openCounted } from '../../fixtures/prunedCopies';

const secret = 'Xk29vTq81LmZ';
const hostile = '"><script>alert(1)</script><img src=x onerror=alert(2)>';

async function exported(kind: ExportKind, keepSecrets = false): Promise<string> {
  const session = await openCounted(
    new ClaudeCodeSession()
      .prompt(`${hostile} DB_PASSWORD=${secret}`)
      .reply({ tool: 'Bash', id: 'toolu_a', input: { command: hostile } })
      .result('toolu_a', `${sourceText(1, 9_000)} ${secret}`)
      .reply({ text: 'Done.' })
      .toString(),
  );
  await session.scan();
  return exportText(kind, {
    session,
    request: 1,
    options: defaultPruneOptions(),
    colour: 'sensitivity',
    scanner: secretScanner,
    keepSecrets,
    identity: { irId: '00000000-0000-4000-8000-000000000000', createdAt: '2026-01-05T09:00:00Z' },
  });
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
        keepSecrets: false,
        identity: { irId: '00000000-0000-4000-8000-000000000000', createdAt: '2026-01-05T09:00:00Z' },
      });
      assert.equal(markupDefect(text), undefined, kind);
    }
  });

  it('say that output is recorded too low, and that the cost rests on an estimate', async () => {
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
      keepSecrets: false,
      identity: { irId: '00000000-0000-4000-8000-000000000000', createdAt: '2026-01-05T09:00:00Z' },
    });
    assert.match(html, /<dt>Cost at list prices<\/dt><dd>about \$/);
    assert.match(html, /The recorded output of 1 request is too low\./);
    assert.match(html, /1 output tokens recorded, about [1-9][\d,]{2,} in the reply itself \(estimated\)/);
    assert.doesNotMatch(await exported('html'), /too low/);
  });

  it('name the findings of the request by rule and line', async () => {
    assert.match(await exported('html'), /<td>credentialAssignment<\/td><td><span class="restricted">/);
  });

  it('draw every block that is wide enough, and what is not recorded', async () => {
    const svg = await exported('svg');
    assert.match(svg, /not recorded · about [\d,]+/);
    // A prompt, a call and its result; only the result is wide. The narrow prompt holds a password and has a sign.
    assert.match(svg, /<rect [^>]*width="2" [^>]*fill="var\(--sensitivity-2\)"/);
    assert.match(svg, /<rect [^>]*width="2" [^>]*fill="var\(--sensitivity-2-text\)"/);
    assert.match(svg, /<path d="M[^"]*" fill="var\(--sensitivity-0\)"\/><rect [^>]*fill="var\(--ice\)"/);
    assert.match(svg, /Identity.*Knowledge.*State.*History/s);
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
    assert.ok((await exported('json', true)).includes(secret));
  });

  it('write base64 and escape what markup cannot hold', () => {
    for (const length of [0, 1, 2, 3, 4, 5]) {
      const bytes = Buffer.from([251, 240, 1, 2, 255]).subarray(0, length);
      assert.equal(base64(bytes), bytes.toString('base64'));
    }
    assert.equal(escapeMarkup(`a\u0000\ud800<'"&\u202e`), 'a[U+0000]\ufffd&lt;&#39;&quot;&amp;[U+202E]');
  });
});
