import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { turnJson } from '../../../src/core/context/contextJson';
import { parseExactJson } from '../../../src/core/context/exactJson';
import {
  commonTurnPrefix,
  extendsFingerprint,
  fnv1a64,
  prefixFingerprint,
} from '../../../src/core/context/fingerprint';
import { valueJson } from '../../../src/core/context/serdeJson';
import { type Message, userMessage } from '../../../src/core/model/contextPartitions';
import type { RenderedContext } from '../../../src/core/model/renderedContext';

function fnvByDefinition(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}

function rendered(stable: string, turns: readonly Message[]): RenderedContext {
  return { systemText: stable, systemStable: stable, systemKnowledge: '', turns };
}

describe('FNV-1a', () => {
  it('agrees with the published vectors', () => {
    assert.equal(fnv1a64(''), 'cbf29ce484222325');
    assert.equal(fnv1a64('a'), 'af63dc4c8601ec8c');
    assert.equal(fnv1a64('foobar'), '85944171f73967e8');
  });

  it('agrees with its definition for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), text => {
        assert.equal(fnv1a64(text), fnvByDefinition(text));
      }),
    );
  });
});

describe('serde JSON', () => {
  it('writes struct members in their order and leaves out absent ones', () => {
    const message: Message = {
      role: 'tool',
      content: [
        { type: 'text', text: 'é"\n\u0001\u2028</script>' },
        { type: 'image', detail: 'low', mediaType: 'image/png', data: 'AA==' },
        { type: 'image' },
        { type: 'audio', mediaType: 'audio/wav', data: '' },
        { type: 'tool_result', isError: true, output: '', callId: 'c' },
      ],
      toolCalls: [{ arguments: { b: 1, a: [null, true, { d: 'x', c: {} }] }, name: 'n', id: 'i' }],
      tokenCount: 9,
    };
    assert.equal(
      turnJson(message),
      '["tool",[{"type":"text","text":"é\\"\\n\\u0001\u2028</script>"},' +
        '{"type":"image","data":"AA==","media_type":"image/png","detail":"low"},{"type":"image"},' +
        '{"type":"audio","data":"","media_type":"audio/wav"},' +
        '{"type":"tool_result","call_id":"c","output":"","is_error":true}],' +
        '[{"id":"i","name":"n","arguments":{"a":[null,true,{"c":{},"d":"x"}],"b":1}}]]',
    );
    assert.equal(turnJson(userMessage('')), '["user","",[]]');
  });

  it('sorts keys by their UTF-8 bytes, numbers and __proto__ like any other key', () => {
    const json = '{"🚀":1,"～":2,"9":3,"10":4,"__proto__":5,"B":6,"a":7}';
    assert.equal(valueJson(parseExactJson(json)), '{"10":4,"9":3,"B":6,"__proto__":5,"a":7,"～":2,"🚀":1}');
  });

  it('writes numbers as Rust does', () => {
    const written: readonly (readonly [source: string, written: string])[] = [
      ['1', '1'],
      ['-0', '-0.0'],
      ['0.0', '0.0'],
      ['1.0', '1.0'],
      ['-2.50', '-2.5'],
      ['1e2', '100.0'],
      ['9007199254740993', '9007199254740993'],
      ['18446744073709551615', '18446744073709551615'],
      ['18446744073709551616', '1.8446744073709552e19'],
      ['-9223372036854775808', '-9223372036854775808'],
      ['1e15', '1000000000000000.0'],
      ['1e16', '1e16'],
      ['1.5e300', '1.5e300'],
      ['0.00001', '0.00001'],
      ['0.000012', '0.000012'],
      ['0.000001', '1e-6'],
      ['1.25e-7', '1.25e-7'],
      ['123456.789', '123456.789'],
    ];
    for (const [source, expected] of written) {
      assert.equal(valueJson(parseExactJson(source)), expected, source);
    }
    assert.equal(valueJson(0.5), '0.5');
    assert.equal(valueJson(-3), '-3');
  });

  it('refuses what is not strict JSON', () => {
    for (const text of ['', '{"a":1,}', '// c\n1', '{a:1}', '01']) {
      assert.throws(() => parseExactJson(text), SyntaxError, text);
    }
  });
});

describe('prefix fingerprint', () => {
  const one = userMessage('1');
  const two = userMessage('2');
  const three = userMessage('3');
  const base = prefixFingerprint(rendered('s', [one, two]));

  it('covers role, content and calls of a turn, not its token count or the state turn', () => {
    assert.equal(base.turnHashes[0], fnvByDefinition('["user","1",[]]'));
    assert.equal(base.systemStableHash, fnvByDefinition('s'));
    const same = { ...rendered('s', [{ ...one, tokenCount: 5 }, two]), stateTurn: three, frozenPrefixLen: 1 };
    assert.deepEqual(prefixFingerprint(same), base);
  });

  it('extends itself and what it begins with, and nothing else', () => {
    const longer = prefixFingerprint(rendered('s', [one, two, three]));
    assert.equal(extendsFingerprint(base, base), true);
    assert.equal(extendsFingerprint(longer, base), true);
    assert.equal(extendsFingerprint(base, longer), false);
    const changed = prefixFingerprint(rendered('s', [one, three, two]));
    assert.equal(extendsFingerprint(changed, base), false);
    assert.equal(commonTurnPrefix(changed, base), 1);
    const otherSystem = prefixFingerprint(rendered('t', [one, two, three]));
    assert.equal(extendsFingerprint(otherSystem, base), false);
    assert.equal(commonTurnPrefix(otherSystem, base), 2);
  });
});
