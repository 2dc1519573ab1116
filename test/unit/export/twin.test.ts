import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { readImageInfo } from '../../../src/core/content/imageInfo';
import { mapJson } from '../../../src/core/export/twin/jsonTwin';
import { keptWords } from '../../../src/core/export/twin/keptNames';
import { formats } from '../../../src/core/formats/registry';
import { ClaudeCodeSession, sourceText } from '../../fixtures/claudeCodeSession';
import { plantedCredentials, plantedRequest, plantedTranscript } from '../../fixtures/plantedCredentials';
import { fixturesOf } from '../../fixtures/formats';
import { filesBelow, readUnpacked, shared, skipWithout } from '../../fixtures/sharedFiles';
import { allowedIn, leaksOf, runsInBoth } from '../../fixtures/twinLeaks';
import { figuresOf, makeTwin, openForTwin } from '../../fixtures/twins';
import { isDeep, someOf } from '../../fixtures/variants';

async function twinOf(content: string | Uint8Array) {
  const session = await openForTwin(Buffer.from(content));
  assert.ok(typeof session !== 'string');
  const { bytes, outcome } = await makeTwin(session);
  const twin = await openForTwin(bytes);
  assert.ok(typeof twin !== 'string');
  return { session, twin, bytes, outcome };
}

const secret = 'Xk29vTq81LmZ';
const prompt = `<system-reminder>\nAs you answer, use the contents of Quarterly.xlsx\n</system-reminder>\nMerger with Contoso: DB_PASSWORD=${secret}`;

function session(): string {
  return new ClaudeCodeSession()
    .prompt(prompt)
    .reply({
      tool: 'Bash',
      id: 'toolu_a',
      input: { command: `curl -d "{\\"api_key\\":\\"${secret}\\"}"`, note: '合并计划' },
    })
    .result('toolu_a', sourceText(1, 9_000))
    .reply({ tool: 'mcp__payroll__search', id: 'toolu_b', input: { file_path: '/home/anna/pay/2026.csv' } })
    .result('toolu_b', sourceText(1, 9_000))
    .prompt("Don’t tell Anna, she isn't cleared")
    .reply({ text: 'Understood.' })
    .toString();
}

describe('the anonymised twin', () => {
  it('has every figure of the original, and none of its texts', async () => {
    const original = session();
    const { session: before, twin, bytes, outcome } = await twinOf(original);
    assert.deepEqual(await figuresOf(twin), await figuresOf(before));
    assert.equal(outcome.inexactTexts, 0);
    const text = bytes.toString();
    assert.deepEqual(runsInBoth(original, text), []);
    for (const gone of [secret, 'Contoso', 'Quarterly', 'payroll', 'anna', 'Anna', '合并']) {
      assert.ok(!text.includes(gone), gone);
    }
    for (const stays of [
      'toolu_a',
      '"Bash"',
      'mcp__',
      '<system-reminder>',
      '.csv',
      'contents of',
      '"file_path"',
    ]) {
      assert.ok(text.includes(stays), stays);
    }
    assert.match(text, /[\u4e00-\u9fff]{4}/);
  });

  it('holds none of the credentials of a session', async () => {
    const seed = 20_261_127;
    const credentials = plantedCredentials(seed);
    for (const original of [plantedTranscript(credentials), plantedRequest(credentials)]) {
      const { bytes } = await twinOf(original);
      const text = bytes.toString();
      const left = credentials.filter(
        ({ secret: planted }) =>
          text.includes(planted) || text.includes(JSON.stringify(planted).slice(1, -1)),
      );
      assert.deepEqual(
        left.map(({ kind, place }) => `${kind} in ${place}`),
        [],
        `seed ${seed}`,
      );
    }
  });

  it('holds no credential in the form of an id, also where nothing says what it is', async () => {
    const [key, id] = ['c7d36954-bf8a-4024-aae6-e95b470dc329', '5a21f0c3-0b7e-4d52-9c11-7f3e2a90b8d4'];
    const original = new ClaudeCodeSession()
      .prompt(`Deploy ${id} with ${key}`)
      .reply({ tool: 'Bash', id: 'toolu_a', input: { command: `RAILWAY_TOKEN=${key} railway up` } })
      .result('toolu_a', `used ${key} for ${id}`)
      .toString();
    const { bytes } = await twinOf(original);
    assert.ok(!bytes.includes(key));
    assert.ok(bytes.includes(id));
  });

  it('counts as many tokens whatever its key is, also of words that are cut elsewhere after a sign', async () => {
    const text = ['Ephemeral', ' Ephemeral', '\tEphemeral', '_Ephemeral', '.Ephemeral'].join(',\n');
    const lines = 'worker\nfunction of the queue\ndispatcher\nrequest and reply\nlonger and shorter';
    const session = await openForTwin(
      Buffer.from(
        new ClaudeCodeSession()
          .prompt(text)
          .reply({ tool: 'Bash', id: 'toolu_a', input: { command: `${text}\n${lines}` } })
          .result('toolu_a', lines)
          .reply({ text: 'It is sold without MERCHANTABILITY and NONINFRINGEMENT.' })
          .toString(),
      ),
    );
    assert.ok(typeof session !== 'string');
    for (let key = 1; key <= 12; key += 1) {
      const { outcome } = await makeTwin(session, { key: Uint32Array.of(key, 2, 3) });
      assert.equal(outcome.inexactTexts, 0, `key ${key}`);
    }
  });

  it('keeps equal texts equal and differs from run to run', async () => {
    const first = await twinOf(session());
    const second = await twinOf(session());
    const { blocks } = first.twin.transcript;
    const results = [...blocks].flatMap(({ kind }, block) => (kind === 'toolResult' ? [block] : []));
    const texts = new Set<string>();
    for await (const { text } of first.twin.textsOf(results)) {
      texts.add(text);
    }
    assert.equal(results.length, 2);
    assert.equal(texts.size, 1);
    assert.notEqual(first.bytes.toString(), second.bytes.toString());
  });

  it('keeps the size of an image and not its content', async () => {
    const image = Buffer.alloc(600, 7);
    Buffer.from('89504e470d0a1a0a0000000d494844520000012c000000c8', 'hex').copy(image);
    const data = image.toString('base64');
    const content = [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }];
    const request = { model: 'claude-opus-4-5', max_tokens: 9, messages: [{ role: 'user', content }] };
    const { bytes } = await twinOf(JSON.stringify(request));
    const found = /"data":"([^"]+)"/.exec(bytes.toString())?.[1] ?? '';
    assert.equal(found.length, data.length);
    assert.deepEqual(readImageInfo(found), { width: 300, height: 200 });
    assert.ok(!found.includes(data.slice(40, 80)));
  });

  it('opens though the id by which its format is recognised is damaged', async () => {
    const part = { id: 'prt_1', type: 'text', text: 'Anastasia' };
    const { session, twin, bytes } = await twinOf(
      JSON.stringify({ type: 'text', timestamp: 1_795_307_170_252, sessionID: 'ses_dff5\uFFFDb1', part }),
    );
    assert.equal(twin.transcript.format, session.transcript.format);
    assert.ok(!bytes.includes('Anastasia') && !bytes.includes('dff5\uFFFDb1'));
  });

  it('opens though its records are of kinds that no reader knows', async () => {
    const kinds = ['session.modml_change', 'context.modml_change', 'ModmlChangeEvent', 'CondensationOfModml'];
    for (const kind of kinds) {
      const record = { type: kind, kind, id: '0bf5f825-df30-4797', source: 'user', protocol_version: 1 };
      const { bytes } = await twinOf(`${JSON.stringify(record)}\n`);
      assert.doesNotMatch(bytes.toString(), /modml/i);
    }
  });

  it('opens though its last value is cut off, or its number or time is as large as they can be', async () => {
    for (const damaged of [
      '[\n  {\n    "ts": 9,\n    "type": "say',
      '[{"ts":1.7976931348623157e+308,"type":"say"}]',
      '{"turnId":"t1","ts":"-271821-04-20"}',
      '{\n "messages": [],\n "trajectory_format": "mini-swe-agent-etails": {',
    ]) {
      const { session, twin, bytes } = await twinOf(damaged);
      assert.equal(twin.transcript.format, session.transcript.format);
      assert.ok(!bytes.includes('1.7976931'));
    }
  });

  it('tells the records of a chat log apart that stand in one line', async () => {
    const log = [
      { kind: 0, v: { version: 3, responderUsername: 'GitHub Copilot', requests: [] } },
      { kind: 1, k: ['inputState'] },
      { kind: 2, k: ['requests'], v: [{ requestId: 'r2', response: [{ value: 'Anastasia' }] }] },
    ];
    const { session, twin, bytes } = await twinOf(log.map(line => JSON.stringify(line)).join(''));
    assert.deepEqual(await figuresOf(twin), await figuresOf(session));
    assert.ok(!bytes.includes('Anastasia'));
  });

  it('writes JSON again with the same layout at any depth', () => {
    const deep = `${'['.repeat(20_000)}{"a" : "b\\n\\"c"}${']'.repeat(20_000)}`;
    const same = {
      key: (key: string) => key,
      string: (text: string) => text,
      number: (text: string) => text,
    };
    assert.equal(mapJson(deep, same), deep);
    assert.ok(mapJson(deep, { ...same, string: text => text.toUpperCase() }).includes('"B\\n\\"C"'));
  });

  it('keeps the words that the readers look for', () => {
    const sought = [
      'ATIF',
      'CORTEX_STEP_TYPE_ERROR_MESSAGE',
      'accumulated_token_usage',
      'agent_thought_chunk',
      'zstd',
    ];
    assert.deepEqual(
      sought.filter(word => !keptWords.has(word)),
      [],
    );
  });
});

/** Its records cut a word, so that its parts are replaced one by one. The resulting word has other tokens. */
const cutWord = 'vscode-chat: log.jsonl';

describe('the twin of every format', () => {
  // The fuzzer makes twins of all formats.
  for (const { id } of someOf([...formats.decoders, ...formats.documents, ...formats.lines], 8)) {
    const fixtures = fixturesOf(id).filter(fixture => !fixture.name.endsWith('-wal'));
    for (const { name, bytes } of someOf(fixtures, 1)) {
      it(`${id}: ${name}`, async () => {
        const session = await openForTwin(bytes);
        assert.ok(typeof session !== 'string');
        const made = await makeTwin(session);
        const twin = await openForTwin(made.bytes);
        assert.ok(typeof twin !== 'string', 'the twin does not open');
        assert.equal(twin.transcript.format, session.transcript.format);
        if (`${id}: ${name}` !== cutWord) {
          assert.deepEqual(await figuresOf(twin), await figuresOf(session));
        }
        assert.deepEqual(await leaksOf(bytes, made.bytes), []);
      });
    }
  }
});

/** In a deep run all files, otherwise small ones: the fuzzer makes twins of all others. */
const largest = isDeep ? Infinity : 60_000;

describe('twins of recorded sessions', { skip: skipWithout('samples') }, () => {
  const files = ['samples', 'agent-runs']
    .flatMap(name =>
      filesBelow(
        join(shared, name),
        '.jsonl',
        '.json',
        '.jsonl.gz',
        '.json.gz',
        '.db',
        '.sqlite',
        '.eval',
        '.md',
        '.traj',
        '.sse',
        '.zst',
      ),
    )
    .filter(path => statSync(path).size <= largest);
  for (const path of someOf(files, 1)) {
    it(relative(shared, path), async context => {
      const original = readUnpacked(path);
      const session = await openForTwin(original);
      if (typeof session === 'string') {
        context.skip(session);
        return;
      }
      const { bytes } = await makeTwin(session, { key: Uint32Array.of(7, 2, 3) });
      const twin = await openForTwin(bytes);
      assert.ok(typeof twin !== 'string');
      assert.deepEqual(await figuresOf(twin), await figuresOf(session));
      const leaks = await leaksOf(original, bytes);
      for (const [kind, values] of leaks.length > 0 ? allowedIn(original.toString()) : []) {
        context.diagnostic(`may stay, ${kind}: ${[...values].join(' | ').slice(0, 2_000)}`);
      }
      assert.deepEqual(leaks, []);
    });
  }
});
