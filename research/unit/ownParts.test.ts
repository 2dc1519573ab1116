import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ownPartsOf } from '../agents/ownParts';

const text = (value: string): object => ({ type: 'text', text: value });

it('takes what comes after the first prompt, but not files of the user', () => {
  const body = {
    tools: [{ name: 'Bash' }],
    system: [text('You are an agent.')],
    messages: [
      {
        role: 'user',
        content: [
          text('<system-reminder>\nCodebase and user instructions are shown below.\n</system-reminder>'),
          text('<system-reminder>\nUse the following context:\n# gitStatus\nclean</system-reminder>'),
          text('<system-reminder>\nAttribution for commits</system-reminder>'),
          text('hello'),
        ],
      },
      { role: 'system', content: '# Environment' },
    ],
  };
  assert.deepEqual(ownPartsOf(body), {
    system: ['You are an agent.'],
    tools: ['{"name":"Bash"}'],
    notes: ['<system-reminder>\nAttribution for commits</system-reminder>', '# Environment'],
  });
});

it('takes the developer’s messages of the Responses API and tools among the input', () => {
  const body = {
    instructions: 'You are Codex.',
    input: [
      { type: 'additional_tools', role: 'developer', tools: [{ name: 'exec' }] },
      { type: 'message', role: 'developer', content: [text('permissions')] },
      { type: 'message', role: 'user', content: [text('<environment_context>here</environment_context>')] },
      { type: 'message', role: 'user', content: [text('hello')] },
    ],
  };
  assert.deepEqual(ownPartsOf(body), {
    system: ['You are Codex.', 'permissions'],
    tools: ['{"name":"exec"}'],
    notes: ['<environment_context>here</environment_context>'],
  });
});
