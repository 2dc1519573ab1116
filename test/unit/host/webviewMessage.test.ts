import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultPruneOptions } from '../../../src/core/model/pruneConfig';
import { readWebviewMessage } from '../../../src/host/webviewMessage';
import type { FromWebviewMessage } from '../../../src/protocol/messages';

describe('messages of the webview', () => {
  const known: readonly FromWebviewMessage[] = [
    { type: 'ready' },
    {
      type: 'question',
      id: 1,
      question: { name: 'blockText', params: { block: 0, start: 0, length: 9, reveal: false } },
    },
    { type: 'question', id: 2, question: { name: 'rendered', params: { request: 3 } } },
    { type: 'question', id: 3, question: { name: 'stability', params: { request: 3 } } },
    { type: 'question', id: 4, question: { name: 'cacheReport', params: {} } },
    { type: 'act', act: { kind: 'revealSource', block: 1 } },
    { type: 'act', act: { kind: 'openPath', block: 1 } },
    { type: 'act', act: { kind: 'openSubagent', id: 'a1f3' } },
    { type: 'act', act: { kind: 'openParent' } },
    { type: 'act', act: { kind: 'savePruneOptions', options: defaultPruneOptions('katu') } },
    { type: 'act', act: { kind: 'openAsText' } },
    { type: 'act', act: { kind: 'retry' } },
    { type: 'act', act: { kind: 'cancel' } },
    { type: 'ask', ask: { kind: 'offer' } },
    { type: 'ask', ask: { kind: 'send', plan: 3 } },
    { type: 'ask', ask: { kind: 'cancel' } },
    { type: 'ask', ask: { kind: 'setKey', provider: 'anthropic' } },
    { type: 'ask', ask: { kind: 'openReplays' } },
    {
      type: 'ask',
      ask: {
        kind: 'prepare',
        order: {
          form: 'compare',
          request: 2,
          provider: '',
          model: 'm',
          prune: defaultPruneOptions(),
          keepSecrets: false,
          times: 2,
          question: '',
        },
      },
    },
    {
      type: 'act',
      act: { kind: 'export', form: 'svg', request: 3, options: defaultPruneOptions(), colour: 'cache' },
    },
  ];
  for (const message of known) {
    it(`reads ${JSON.stringify(message).slice(0, 60)}`, () => {
      assert.deepStrictEqual(readWebviewMessage(message), message);
    });
  }

  it('does not take anything else', () => {
    const unknown: readonly unknown[] = [
      undefined,
      'ready',
      { type: 'ask', ask: { kind: 'send' } },
      { type: 'ask', ask: { kind: 'prepare', order: { form: 'replay', request: 0, times: 0 } } },
      { type: 'act', act: { kind: 'runCommand', command: 'x' } },
      { type: 'act', act: { kind: 'revealSource', block: -1 } },
      { type: 'act', act: { kind: 'revealSource', block: '1' } },
      { type: 'question', id: 1, question: { name: 'record', params: { block: 1 } } },
      { type: 'act', act: { kind: 'savePruneOptions', options: { protectTokens: 1 } } },
      {
        type: 'act',
        act: {
          kind: 'export',
          form: '/etc/passwd',
          request: 0,
          options: defaultPruneOptions(),
          colour: 'role',
        },
      },
    ];
    assert.deepStrictEqual(
      unknown.map(message => readWebviewMessage(message)),
      unknown.map(() => undefined),
    );
  });
});
