import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { currentTranslations, setTranslations, translate } from '../../../src/core/base/translate';

describe('translate', () => {
  afterEach(() => setTranslations(undefined));

  it('writes values as they are, in any order and number', () => {
    assert.equal(translate('{1} of {0}, {1}', 1000, 'a $& b'), 'a $& b of 1000, a $& b');
    assert.equal(translate('Nothing to fill in'), 'Nothing to fill in');
  });

  it('picks the plural form and writes the number with separators', () => {
    const blocks = (count: number | string): string =>
      translate('{0, plural, one {# block} other {# blocks}} of {1}', count, 'it');
    assert.deepEqual([0, 1, -1, 1.5, 12345, '~2k'].map(blocks), [
      '0 blocks of it',
      '1 block of it',
      '-1 block of it',
      '1.5 blocks of it',
      '12,345 blocks of it',
      '~2k blocks of it',
    ]);
  });

  it('uses the language that was set, with the forms and separators of that language', () => {
    const message = '{0, plural, one {# file} other {# files}}';
    const messages = {
      [message]: '{0, plural, one {# plik} few {# pliki} many {# plików} other {# pliku}}',
      'Open {0}': 'Otwórz {0}',
    };
    setTranslations({ language: 'pl', messages });
    assert.deepEqual(
      [1, 2, 5, 1.5].map(count => translate(message, count)),
      ['1 plik', '2 pliki', '5 plików', '1,5 pliku'],
    );
    assert.equal(translate('Open {0}', 'x'), 'Otwórz x');
    assert.equal(translate('Close'), 'Close');
    assert.deepEqual(currentTranslations(), { language: 'pl', messages });
  });

  it('stays in English when the input has another form', () => {
    for (const input of [undefined, 'de', { language: 'de' }, { messages: { Open: 'Öffnen' } }]) {
      setTranslations(input);
      assert.equal(translate('Open'), 'Open');
    }
    setTranslations({ language: 'de', messages: { Open: 1, Close: 'Schließen' } });
    assert.deepEqual([translate('Open'), translate('Close')], ['Open', 'Schließen']);
  });
});

describe('the entry points', () => {
  for (const path of ['src/extension.ts', 'src/worker/main.ts', 'webview/main.tsx']) {
    it(`set the translations before any other module is evaluated: ${path}`, () => {
      assert.match(readFileSync(path, 'utf8'), /^import '\.\/(host\/messages\/)?translations';\n/);
    });
  }
});

describe('the collected messages', () => {
  it('are up to date, and every shown text goes through translate', () => {
    const { stderr, status } = spawnSync(process.execPath, ['scripts/l10n.mjs', '--check'], {
      encoding: 'utf8',
    });
    assert.equal(stderr, '');
    assert.equal(status, 0);
  });

  /** The script's report for a project with one file. */
  function check(
    lines: readonly string[],
    path = 'src/a.tsx',
    others: Readonly<Record<string, unknown>> = {},
  ): { readonly problems: string; readonly bundle: string } {
    const root = mkdtempSync(join(tmpdir(), 'l10n-'));
    try {
      mkdirSync(join(root, 'src/cli'), { recursive: true });
      mkdirSync(join(root, 'webview/words'), { recursive: true });
      mkdirSync(join(root, 'l10n'));
      writeFileSync(join(root, path), lines.join('\n'));
      for (const [name, content] of Object.entries({ 'package.nls.json': {}, ...others })) {
        writeFileSync(join(root, name), JSON.stringify(content));
      }
      const words = ['scripts/l10n.mjs', '--root', root];
      const { stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
      return { problems: stderr, bundle: readFileSync(join(root, 'l10n/bundle.l10n.json'), 'utf8') };
    } finally {
      rmSync(root, { recursive: true });
    }
  }

  it('hold each literal message once, in order', () => {
    const { problems, bundle } = check([
      "translate('b {0}', x);",
      'const c = { d: translate(`a`) };',
      "translate('b {0}', translate('{0, plural, other {#}}', 1));",
    ]);
    assert.equal(problems, '');
    const messages: unknown = JSON.parse(bundle);
    assert.deepEqual(messages, {
      a: 'a',
      'b {0}': 'b {0}',
      '{0, plural, other {#}}': '{0, plural, other {#}}',
    });
    assert.ok(bundle.indexOf('"a"') < bundle.indexOf('"b {0}"'));
  });

  it('hold the translations against the English texts', () => {
    const message = '{0, plural, one {# block} other {# blocks}} of {1}';
    const { problems } = check([`translate('${message}', a, b);`, "translate('Close');"], 'src/a.tsx', {
      'package.nls.json': { title: 'Open' },
      'package.nls.de.json': { title: 'Öffnen' },
      'l10n/bundle.l10n.de.json': {
        [message]: '{0, plural, one {# Block} other {# Blöcke}} von {1}',
        Close: 'Schließen',
        'Said no more': 'Weg',
      },
      'l10n/bundle.l10n.ja.json': { [message]: '{0, plural, one {#} other {#}} / {1}', Close: '{0} 閉じる' },
      'l10n/bundle.l10n.zh-cn.json': { Close: '关闭' },
    });
    assert.deepEqual(problems.match(/^\S+: \S+ \S+/gm), [
      'l10n/bundle.l10n.ja.json: other placeholders',
      'l10n/bundle.l10n.ja.json: other placeholders',
      'l10n/bundle.l10n.zh-cn.json: 1 texts',
      'package.nls.ja.json: 1 texts',
      'package.nls.zh-cn.json: 1 texts',
    ]);
  });

  it('are not collected from the command line, which speaks English', () => {
    const { bundle } = check(["translate('Usage');"], 'src/cli/a.ts');
    assert.equal(bundle, '{}\n');
  });

  it('report what cannot be collected, and text that is shown without translate', () => {
    const faults = [
      'translate(text);',
      'translate(`a ${b}`);',
      "translate('a' + 'b');",
      "translate('{0}', ...values);",
      "translate('{0} {1}', 1);",
      "translate('{0}', 1, 2);",
      "translate('{1}', 1);",
      "translate('{x}');",
      "translate('{0, plural, one {#}}', 1);",
      "vscode.window.showErrorMessage('It failed.');",
      'vscode.window.showQuickPick([{ label: `Open ${name}` }]);',
      'throw new UsageError(`There is no ${file}`);',
      'const a = <p>some words {b}</p>;',
      "const a = <p>{b === 1 ? 'Yes' : ''}</p>;",
      'const a = <p title="Close">{b}</p>;',
      'const a = <p aria-label={`Block ${b}`}>{b}</p>;',
    ];
    const { problems } = check(faults);
    const lines = [...problems.matchAll(/^src\/a\.tsx:(\d+): /gm)].map(([, line]) => Number(line));
    assert.deepEqual(
      [...new Set(lines)],
      faults.map((_, index) => index + 1),
    );
  });

  it('report every text in a file of words', () => {
    const lines = [
      "import type { A } from './some words';",
      "export const words = { a: 'Cancel', b: translate('Cancel'), c: 'a-word' };",
      'export const count = (many: number): string => `${many} open files`;',
    ];
    const { problems } = check(lines, 'webview/words/page.ts');
    assert.deepEqual(
      [...problems.matchAll(/^webview\/words\/page\.ts:(\d+): /gm)].map(([, line]) => line),
      ['2', '3'],
    );
    assert.equal(check(lines).problems, '');
  });

  it('leave alone what is no text for people', () => {
    const { problems } = check([
      `const a = <p className="some words" title={b}>{f('some words')} · {b === 'Some words' ? c : d}</p>;`,
      "throw new Error('This never happens.');",
    ]);
    assert.equal(problems, '');
  });
});
