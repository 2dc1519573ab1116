import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultPruneOptions } from '../../../src/core/model/pruneConfig';
import { type FromInspector, inspectorPage } from '../../../src/protocol/inspectorPage';
import { readMessage, refusalOf } from '../../../src/protocol/page';

describe('messages of the webview', () => {
  const known: readonly FromInspector[] = [
    { type: 'ready' },
    { type: 'here' },
    { type: 'act', act: { kind: 'revealSource', block: 1 } },
    { type: 'act', act: { kind: 'openPath', block: 1 } },
    { type: 'act', act: { kind: 'openSubagent', id: 'a1f3' } },
    { type: 'act', act: { kind: 'openParent' } },
    { type: 'act', act: { kind: 'savePruneOptions', options: defaultPruneOptions('katu') } },
    { type: 'act', act: { kind: 'openAsText' } },
    { type: 'act', act: { kind: 'openExample' } },
    { type: 'act', act: { kind: 'copyLink', conversation: 1, request: 0, block: 4 } },
    { type: 'act', act: { kind: 'copyLink', conversation: 0, request: 58 } },
    { type: 'act', act: { kind: 'step', step: 'sliderMoved' } },
    { type: 'act', act: { kind: 'retry' } },
    { type: 'act', act: { kind: 'cancel' } },
    { type: 'act', act: { kind: 'askModel', ask: { kind: 'send', plan: 3 } } },
    { type: 'act', act: { kind: 'askModel', ask: { kind: 'cancel' } } },
    { type: 'act', act: { kind: 'askModel', ask: { kind: 'setKey', provider: 'anthropic' } } },
    { type: 'act', act: { kind: 'askModel', ask: { kind: 'openReplays' } } },
    {
      type: 'act',
      act: {
        kind: 'askModel',
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
    },
    {
      type: 'act',
      act: { kind: 'export', form: 'svg', request: 3, options: defaultPruneOptions(), colour: 'cache' },
    },
  ];
  for (const message of known) {
    it(`reads ${JSON.stringify(message).slice(0, 60)}`, () => {
      assert.deepStrictEqual(readMessage(inspectorPage, message), { ok: true, message });
    });
  }

  it('does not take anything else', () => {
    const unknown: readonly unknown[] = [
      undefined,
      'ready',
      { type: 'act', act: { kind: 'askModel', ask: { kind: 'send' } } },
      {
        type: 'act',
        act: { kind: 'askModel', ask: { kind: 'prepare', order: { form: 'replay', request: 0, times: 0 } } },
      },
      { type: 'act', act: { kind: 'runCommand', command: 'x' } },
      { type: 'act', act: { kind: 'copyLink', request: -1 } },
      { type: 'act', act: { kind: 'copyLink', request: 1, file: '/etc/passwd' } },
      { type: 'act', act: { kind: 'step', step: 'breakfast' } },
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
      unknown.map(message => readMessage(inspectorPage, message).ok),
      unknown.map(() => false),
    );
  });

  it('names what it refuses, and the question to which that is the answer', () => {
    const refusals: readonly unknown[] = [
      { type: 'question', id: 7, question: { name: 'rendered', params: { request: -1 } } },
      { type: 'question', id: 8, question: { name: 'toString', params: {} } },
      { type: 'act', act: { kind: 'launch', command: 'x' } },
      { type: 'x'.repeat(99) },
      'ready',
    ];
    assert.deepStrictEqual(
      refusals.map(message => readMessage(inspectorPage, message)),
      [
        { ok: false, id: 7, what: '"question" "rendered"' },
        { ok: false, id: 8, what: '"question" "toString"' },
        { ok: false, id: undefined, what: '"act" "launch"' },
        { ok: false, id: undefined, what: `"${'x'.repeat(40)}" ` },
        { ok: false, id: undefined, what: ' ' },
      ],
    );
  });

  it('answers a refused question, tells of any other message, and has a line of both for the log', () => {
    const refused = [7, undefined].map(id => refusalOf({ ok: false, id, what: '"x"' }, 'a.jsonl'));
    assert.deepStrictEqual(
      refused.map(({ line, answer }) => [line, answer.type, 'id' in answer && answer.id]),
      [
        ['a.jsonl: The page sent an invalid message: "x"', 'answer', 7],
        ['a.jsonl: The page sent an invalid message: "x"', 'refused', false],
      ],
    );
  });
});
