import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TranscriptBuilder } from '../../../src/core/content/transcriptBuilder';
import { cline } from '../../../src/core/formats/cline/cline';
import { pi } from '../../../src/core/formats/pi/pi';
import { assertLinear } from '../../fixtures/linearWork';

const range = { line: 1, offset: 0, length: 0 };

describe('the time that reading takes grows with the session alone', () => {
  it('Roo Code with a summary of everything', async () => {
    const summarised = (count: number): readonly object[] => [
      ...Array.from({ length: count - 1 }, (_, index) => ({
        role: index % 2 === 0 ? 'user' : 'assistant',
        ts: index,
        content: `${index}`,
        condenseParent: 'c',
      })),
      { role: 'user', ts: count, content: 'The story so far', isSummary: true, condenseId: 'c' },
    ];
    await assertLinear(12_000, summarised, value => {
      const builder = new TranscriptBuilder();
      cline.read({ value, range }, () => range, builder);
      assert.equal(builder.blocks.length, value.length);
    });
  });

  it('pi with a picture in each result, by two models', async () => {
    const steps = (count: number): readonly object[] =>
      Array.from({ length: count }, (_, step) => [
        message(`a${step}`, step === 0 ? null : `r${step - 1}`, {
          role: 'assistant',
          api: 'openai-completions',
          model: step < 4 ? 'one' : 'other',
          content: [
            { type: 'thinking', thinking: 'Look.' },
            { type: 'toolCall', id: `c${step}`, name: 'look', arguments: {} },
          ],
        }),
        message(`r${step}`, `a${step}`, {
          role: 'toolResult',
          toolCallId: `c${step}`,
          content: [
            { type: 'text', text: 'The garden.' },
            { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' },
          ],
        }),
      ]).flat();
    const message = (id: string, parentId: string | null, content: object): object => ({
      type: 'message',
      id,
      parentId,
      message: content,
    });
    const tools = { role: 'system', sections: { rules: 'Look.' }, toolsAdded: [{ name: 'look' }] };
    await assertLinear(4000, steps, values => {
      const builder = new TranscriptBuilder();
      const reading = pi.open(builder);
      for (const value of [message('s', null, tools), ...values]) {
        reading.push({ value, range });
      }
      assert.equal(builder.requests.length, values.length / 2);
    });
  });
});
