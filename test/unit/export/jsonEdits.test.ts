import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyJsonEdits, type JsonEdit } from '../../../src/core/base/jsonEdits';

const edited = (text: string, ...edits: readonly JsonEdit[]): string =>
  Buffer.from(applyJsonEdits(Buffer.from(text), edits)).toString();

describe('edits of JSON bytes', () => {
  it('replace a value and leave every other byte', () => {
    assert.equal(
      edited('{ "ü" : [1,  "zwölf 🌊", {"a":\t"x\\u00e4"}] , "b":2}', {
        kind: 'replace',
        path: ['ü', 1],
        json: '"z"',
      }),
      '{ "ü" : [1,  "z", {"a":\t"x\\u00e4"}] , "b":2}',
    );
  });

  it('append a member in the layout of the others', () => {
    const append: JsonEdit = { kind: 'append', path: ['t'], key: 'c', json: '7' };
    assert.equal(edited('{"t":{"a":1}}', append), '{"t":{"a":1,"c":7}}');
    assert.equal(
      edited('{\n  "t": {\n    "a": 1\n  }\n}', append),
      '{\n  "t": {\n    "a": 1,\n    "c": 7\n  }\n}',
    );
    assert.equal(edited('{"t":{}}', append), '{"t":{"c":7}}');
  });

  it('reach into JSON inside of a string', () => {
    const text = JSON.stringify({ body: JSON.stringify({ a: 'ä"', b: [1, 2] }) });
    assert.equal(
      edited(text, {
        kind: 'inner',
        path: ['body'],
        edits: [{ kind: 'replace', path: ['b', 1], json: '3' }],
      }),
      JSON.stringify({ body: JSON.stringify({ a: 'ä"', b: [1, 3] }) }),
    );
  });

  it('take the last of two members of one name, as JSON.parse does', () => {
    assert.equal(edited('{"a":1,"a":2}', { kind: 'replace', path: ['a'], json: '3' }), '{"a":1,"a":3}');
  });

  it('leave out a path that leads nowhere, and keep bytes that are no UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0x80]), Buffer.from('","b":1}')]);
    assert.deepEqual(
      Buffer.from(
        applyJsonEdits(bytes, [
          { kind: 'replace', path: ['b'], json: '22' },
          { kind: 'replace', path: ['c', 0], json: '0' },
        ]),
      ),
      Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0x80]), Buffer.from('","b":22}')]),
    );
  });
});
