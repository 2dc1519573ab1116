import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { providerAddress } from '../../../src/backend/providerAddress';
import { providerPresets } from '../../../src/backend/providers';

describe('the address of a provider', () => {
  for (const [given, origin, isLocal] of [
    ['https://api.anthropic.com', 'https://api.anthropic.com:443', false],
    ['HTTPS://API.Example.com:8443/v1//', 'https://api.example.com:8443', false],
    ['http://localhost:11434/v1', 'http://localhost:11434', true],
    ['http://127.8.9.10', 'http://127.8.9.10:80', true],
    // The URL parser writes these as 127.0.0.1.
    ['http://2130706433:1', 'http://127.0.0.1:1', true],
    ['http://0x7f.1:1', 'http://127.0.0.1:1', true],
    ['http://[::1]:1/v1', 'http://[::1]:1', true],
    ['http://[0:0:0:0:0:0:0:1]:1', 'http://[::1]:1', true],
    ['https://localhost.evil.com', 'https://localhost.evil.com:443', false],
  ] as const) {
    it(`${given} is ${origin}`, () => {
      const address = providerAddress(given);
      assert.deepEqual([address.origin, address.isLocal], [origin, isLocal]);
      assert.ok(!address.base.endsWith('/'));
      // Requests go to the origin.
      assert.equal(new URL(`${address.base}/v1/messages`).host, new URL(origin).host);
    });
  }

  it('is not plain http outside this machine, however it is written', () => {
    for (const given of [
      'http://api.anthropic.com',
      'HTTP://box:1/v1',
      'http://localhost.evil.com',
      'http://127.0.0.1.evil.com',
      'http://localhost./',
      'http://127.0.0.1.nip.io',
      'http://128.0.0.1',
      'http://2147483649',
      'http://0.0.0.0',
      'http://10.0.0.1',
      'http://192.168.1.2:8000',
      'http://[::ffff:127.0.0.1]',
      'http://[::ffff:10.0.0.1]',
      'http://[::]',
      'http://[::1:1]',
      'http://ⓔvil.com',
    ]) {
      assert.throws(
        () => providerAddress(given),
        /is not on this machine, so its address must begin with https/,
      );
    }
  });

  it('is a web address that hides nothing', () => {
    for (const given of [
      ...[
        '',
        'box',
        'file:///etc',
        'ftp://box',
        'javascript:alert(1)',
        'command:a',
        'https://',
        'https:/box',
      ],
      ...['http://127.0.0.1@evil.com', 'https://api.anthropic.com@evil.com', 'https://a:b@evil.com'],
      ...[
        'https://evil.com#api.anthropic.com',
        'https://evil.com/?a=',
        'http://localhost:99999',
        'http://127.0.0.999',
      ],
    ]) {
      assert.throws(() => providerAddress(given), /no valid web address/, given);
    }
  });

  it('is valid for every provider', () => {
    for (const { baseUrl } of providerPresets) {
      assert.equal(providerAddress(baseUrl).base, baseUrl);
    }
  });
});
