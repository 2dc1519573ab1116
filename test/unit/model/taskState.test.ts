import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  applyTaskUpdate,
  emptyTaskState,
  logCompression,
  noteActions,
  openSteps,
  recordDirective,
} from '../../../src/core/model/taskState';

describe('task state', () => {
  it('keeps the eight newest directives and moves a repeated one to the end', () => {
    const nine = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
    const state = nine.reduce(recordDirective, emptyTaskState);
    assert.deepEqual(state.directives, ['2', '3', '4', '5', '6', '7', '8', '9']);
    assert.deepEqual(recordDirective(state, '3').directives, ['2', '4', '5', '6', '7', '8', '9', '3']);
  });

  it('ignores blank directives and actions, by the White_Space of Unicode', () => {
    assert.deepEqual(recordDirective(emptyTaskState, ' \u0085\u3000\n').directives, []);
    assert.deepEqual(noteActions(emptyTaskState, '').recentActions, []);
    assert.deepEqual(noteActions(emptyTaskState, '\ufeff').recentActions, ['\ufeff']);
  });

  it('keeps the six newest actions, repeated ones too', () => {
    const state = ['a', 'b', 'b', 'c', 'd', 'e', 'f'].reduce(noteActions, emptyTaskState);
    assert.deepEqual(state.recentActions, ['b', 'b', 'c', 'd', 'e', 'f']);
  });

  it('replaces only what an update names; a new plan starts open, directives are capped', () => {
    const before = { ...emptyTaskState, goal: 'g', progress: 'p', currentStep: 1 };
    const after = applyTaskUpdate(before, {
      plan: ['x', 'y'],
      scratchpad: 's',
      blockedOn: ['b'],
      preservedRefs: ['r'],
      directives: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
    });
    assert.deepEqual(after, {
      ...before,
      plan: [
        { label: 'x', done: false },
        { label: 'y', done: false },
      ],
      scratchpad: 's',
      blockedOn: ['b'],
      preservedRefs: ['r'],
      directives: ['2', '3', '4', '5', '6', '7', '8', '9'],
    });
    assert.equal(applyTaskUpdate(after, { currentStep: 7, progress: '' }).currentStep, 7);
  });

  it('lists the open steps and logs compressions', () => {
    const plan = [
      { label: 'a', done: true },
      { label: 'b', done: false },
    ];
    assert.deepEqual(openSteps({ ...emptyTaskState, plan }), ['b']);
    assert.deepEqual(logCompression(emptyTaskState, 'snip_compact', '').compressionLog, [
      { action: 'snip_compact', summary: '' },
    ]);
  });
});
