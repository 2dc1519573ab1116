import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sensitivityLabels } from '../../../src/core/model/labels';
import type { SecretScanner } from '../../../src/core/sensitivity/scanner';
import { openTranscript } from '../../../src/core/session/openTranscript';
import { loadTokenizer } from '../../../src/core/tokens/bytePairTokenizer';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';
import { packColumns } from '../../../src/protocol/packedColumns';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { bytesSource } from '../../fixtures/prunedCopies';
import { countingScanner, openText } from './openText';

const password = ['DATABASE_PASSWORD', 'hVq7Lr2mXw9s'].join('=');

function session(): ClaudeCodeSession {
  return new ClaudeCodeSession()
    .prompt('Why does it not connect?')
    .reply({ tool: 'Read', id: 'toolu_1', input: { file_path: '/home/ada/bookshop/.env' } })
    .result('toolu_1', `HOST=localhost\n${password}\n`)
    .reply({ text: 'The port is wrong.' });
}

describe('a recorded title', () => {
  it('is shown without the secrets that only its own text has', async () => {
    const secret = ['/5aieGSFajWDtcS1H3+PAcZeg', 'SzKawJim+Ko0DF'].join('+');
    const title = `First this.\naws_secret_access_key = ${secret}\nregion = eu-west-1`;
    const opened = await openTranscript(
      bytesSource(Buffer.from(`${JSON.stringify({ type: 'session_start', title, cwd: '/shop' })}\n`)),
      { fileName: 'file', scanner: secretScanner },
    );
    assert.ok(opened.ok);
    await opened.session.measure();
    const shown = opened.session.toSession().summary.title;
    assert.ok(shown.includes('region') && !shown.includes(secret), shown);
  });
});

describe('an opened transcript', () => {
  it('estimates from sizes first, and counts with the tokenizer then', async () => {
    const opened = await openText(session().toString());
    const prompt = 'Why does it not connect?';
    const before = opened.toSession().columns.blocks;
    assert.deepEqual([opened.tokenizerTokens[0], before.counted[0]], [Math.ceil(prompt.length / 4), 0]);
    await opened.countTokens();
    const after = opened.toSession().columns.blocks;
    const tokenizer = await loadTokenizer('o200k_base');
    assert.deepEqual([opened.tokenizerTokens[0], after.counted[0]], [tokenizer.count(prompt), 1]);
  });

  it('masks what is sensitive from the first moment, and shows it on demand', async () => {
    const opened = await openText(session().toString());
    const masked = await opened.blockText(2, 0, false);
    assert.equal(JSON.stringify(masked).includes('hVq7Lr2mXw9s'), false);
    assert.deepEqual(
      masked.findings.map(({ label }) => label),
      ['restricted'],
    );
    const shown = await opened.blockText(2, 0, true);
    assert.deepEqual(shown.segments, [{ text: `HOST=localhost\n${password}\n` }]);
  });

  it('keeps secrets out of labels and the title, before and after the scan, also where a label is cut', async () => {
    const key = ['hVq7Lr2mXw9s', 'Kp3Tz8Yb5Nc1'].join('');
    const words = `${'x'.repeat(58 - key.length / 2)} `;
    const scanner: SecretScanner = {
      scan: content => {
        const start = content.indexOf(key);
        return Promise.resolve(
          start < 0 ? [] : [{ rule: 'r', label: 'restricted', message: 'm', start, end: start + key.length }],
        );
      },
    };
    const text = new ClaudeCodeSession()
      .prompt(`My ${password} does not work`)
      .reply({ tool: 'Bash', id: 'toolu_1', input: { command: `login ${key}` } })
      .result('toolu_1', 'ok')
      .reply({ text: words + key })
      .toString();
    const opened = await openText(text, { scanner });
    const shown = (): readonly unknown[] => {
      const { summary, columns } = opened.toSession();
      return [summary.title, ...Array.from(columns.blocks.label, label => columns.strings.at(label))];
    };
    const named = 'My DATABASE_PASSWORD=••• does not work';
    assert.deepEqual(shown().slice(0, 2), [named, named]);
    await opened.scan();
    assert.deepEqual(shown(), [named, named, 'Bash login •••', 'Bash login •••', `${words}•••…`]);
    // The data that leaves the process.
    const sent = opened.toSession();
    const packed = Buffer.from(packColumns(sent.columns).buffer).toString('latin1');
    assert.ok(packed.includes('DATABASE_PASSWORD'));
    assert.equal(`${JSON.stringify(sent.summary)}${packed}`.includes(key.slice(0, 6)), false);
    const again = await openText(text, { scanner, previous: opened });
    const { columns } = again.toSession();
    assert.equal(columns.strings.at(columns.blocks.label[1] ?? 0), 'Bash login •••');
  });

  it('labels the block that holds a secret', async () => {
    const opened = await openText(session().toString());
    await opened.scan();
    const { sensitivity, findings } = opened.toSession().columns.blocks;
    assert.deepEqual(
      [...sensitivity].map(label => sensitivityLabels[label]),
      // The name of a home folder, which is in the call, marks no block.
      ['public', 'public', 'restricted', 'public'],
    );
    assert.deepEqual([...findings], [0, 0, 1, 0]);
  });

  it('counts the newest request first, keeps that when it is cancelled, and does no more then', async () => {
    const text = session().compact('The port was wrong.').prompt('And now?').reply({ text: 'It works.' });
    const opened = await openText(text.toString());
    let isCancelled = false;
    const onProgress = (): void => {
      isCancelled = true;
    };
    const options = { isCancelled: () => isCancelled, onProgress };
    await assert.rejects(opened.countTokens(options), { name: 'CancelledError' });
    // Before the compaction: a prompt, a call, its result and a reply. After it: the summary and a prompt, and the
    // reply.
    const countedOf = (): readonly number[] => [...opened.toSession().columns.blocks.counted];
    assert.deepEqual(countedOf(), [0, 0, 0, 0, 1, 1, 0]);
    await assert.rejects(opened.countTokens(options), { name: 'CancelledError' });
    assert.deepEqual(countedOf(), [0, 0, 0, 0, 1, 1, 0]);
    await opened.countTokens();
    assert.deepEqual(countedOf(), [1, 1, 1, 1, 1, 1, 1]);
  });

  it('does not count and scan again what an earlier reading knows', async () => {
    const first = await openText(session().toString());
    await first.countTokens();
    await first.scan();
    const scanner = countingScanner();
    const grown = session().prompt('Which port?').toString();
    const second = await openText(grown, { scanner, previous: first });
    const { counted, sensitivity } = second.toSession().columns.blocks;
    assert.deepEqual([...counted], [1, 1, 1, 1, 0]);
    assert.equal(sensitivityLabels[sensitivity[2] ?? 0], 'restricted');
    await second.scan();
    assert.equal(scanner.texts(), 1);
  });
});
