import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { anchoredScan } from '../../../src/core/sensitivity/anchored';
import { emailAddress } from '../../../src/core/sensitivity/emailAddress';
import { homeFolder } from '../../../src/core/sensitivity/homeFolder';
import { type identifiers, nationalIdentifiers } from '../../../src/core/sensitivity/nationalIdentifier';
import { scanText } from '../../../src/core/sensitivity/scanTexts';

const scan = anchoredScan([homeFolder, ...nationalIdentifiers]);
const found = (text: string): readonly string[] =>
  scan(text).findings.map(({ start, end }) => text.slice(start, end));

/** Numbers in the forms of the countries' own documents. None belongs to a person. */
const numbers: Readonly<Record<keyof typeof identifiers, readonly [text: string, number: string]>> = {
  'US SSN': ['SSN: 536-22-8726', '536-22-8726'],
  'UK NINO': ['National Insurance number AB 12 34 56 C', 'AB 12 34 56 C'],
  'DE Steuer-ID': ['Steuer-ID 86095742719', '86095742719'],
  'FR NIR': ['NIR: 255081416802538', '255081416802538'],
  'ES DNI': ['DNI 12345678Z', '12345678Z'],
  'IT codice fiscale': ['codice fiscale RSSMRA85T10A562S', 'RSSMRA85T10A562S'],
  'NL BSN': ['"bsn": "111222333"', '111222333'],
  'PL PESEL': ['PESEL 44051401359', '44051401359'],
  'BR CPF': ['CPF 529.982.247-25', '529.982.247-25'],
  'BR CNPJ': ['CNPJ 11.222.333/0001-81', '11.222.333/0001-81'],
  'IN Aadhaar': ['aadhaar 2341 2341 2346', '2341 2341 2346'],
  'IN PAN': ['PAN: ABCPE1234F', 'ABCPE1234F'],
  'CN resident number': ['身份证 11010519491231002X', '11010519491231002X'],
  'JP My Number': ['マイナンバー 123456789018', '123456789018'],
  'KR RRN': ['주민등록번호 900101-1234568', '900101-1234568'],
};

describe('national numbers', () => {
  for (const [name, [text, number]] of Object.entries(numbers)) {
    it(`${name} is found next to its name alone, and with the right check digit alone`, () => {
      assert.deepEqual(found(text), [number]);
      assert.deepEqual(found(number), []);
      const digit = number.search(/\d(?=\D*$)/);
      const others = Array.from('0123456789', other =>
        text.replace(number, number.slice(0, digit) + other + number.slice(digit + 1)),
      );
      const passing = others.filter(other => found(other).length > 0).length;
      assert.ok(passing === 1 || /SSN|NINO|PAN/.test(name), `${passing} of ten`);
    });
  }
});

describe('homeFolder', () => {
  it('finds the names of persons in paths', () => {
    assert.deepEqual(found('cd /home/quill/app && ls /Users/ada.quill/x'), ['quill', 'ada.quill']);
    assert.deepEqual(found('C:\\Users\\Quill\\app "C:\\\\Users\\\\Quill\\\\app"'), ['Quill', 'Quill']);
    assert.deepEqual(
      found('/home/runner/work /home/node/app /Users/shared/x https://quillworks.io/home/page/x'),
      [],
    );
  });
});

describe('emailAddress', () => {
  const addresses = (text: string): readonly string[] =>
    anchoredScan([emailAddress])(text).findings.map(({ start, end }) => text.slice(start, end));

  it('begins after an escape, and is none if nothing else is before the at sign', () => {
    assert.deepEqual(addresses('{"new":"logs\\n\\n@router.get(\\"/hooks\\")"}'), []);
    assert.deepEqual(addresses('\\\\n@router.get and \\t@pytest.fixture and \\u000a@app.route'), []);
    assert.deepEqual(addresses('"To:\\nada@quillworks.io\\u000agrace@quillworks.io"'), [
      'ada@quillworks.io',
      'grace@quillworks.io',
    ]);
  });
});

describe('scanText without personal data', () => {
  it('finds credentials alone', async () => {
    const scanner = { scan: () => Promise.resolve([]) };
    const text = 'ada@quillworks.io in /home/quill/app';
    assert.equal((await scanText(text, scanner)).length, 2);
    assert.deepEqual(await scanText(text, { ...scanner, personalData: false }), []);
  });
});
