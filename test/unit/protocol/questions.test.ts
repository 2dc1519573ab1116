import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as v from 'valibot';
import { defaultPruneOptions } from '../../../src/core/model/pruneConfig';
import { openTranscript } from '../../../src/core/session/openTranscript';
import { inspectorPage } from '../../../src/protocol/inspectorPage';
import { readMessage } from '../../../src/protocol/page';
import { hostQuestions, pageQuestions } from '../../../src/protocol/questions';
import type { Answer, AnswersOf } from '../../../src/protocol/rpc';
import { schemaOf } from '../../../src/protocol/schema';
import { type WorkerQuestion, workerQuestions } from '../../../src/protocol/workerQuestions';
import { Analysis } from '../../../src/worker/analysis';
import { addToolTurns, ClaudeCodeSession } from '../../fixtures/claudeCodeSession';

/** Values for the members of all questions, by name. */
const values: Readonly<Record<string, unknown>> = {
  block: 0,
  before: 0,
  after: 1,
  offset: 0,
  from: 0,
  query: { text: 'shelf', isRegex: false, matchesCase: false },
  reveal: false,
  request: 2,
  options: defaultPruneOptions(),
  model: 'claude-sonnet-4-5',
  prune: defaultPruneOptions(),
  keepSecrets: false,
  isWhole: true,
  target: 'pi',
  rules: 'duplicates',
  budget: 50_000,
  workingDirectory: '/home/ada/shop',
  // The first plan, which the question before asks for.
  plan: 1,
  parts: [{ kind: 'text', text: 'Done.', blocks: [] }],
  tokens: 1000,
  form: 'json',
  colour: 'role',
  level: 'redacted',
  planner: 'relay',
  overwrite: true,
  hidden: ['image'],
  isQuick: true,
  name: 'context_status',
  params: {},
  folders: [],
  started: 0,
};

/** The parameters of a question, composed of the members in its schema. */
function paramsOf(entries: object, others: Readonly<Record<string, unknown>> = {}): object {
  return Object.fromEntries(
    Object.keys(entries).map(name => {
      const value = { ...values, ...others }[name];
      assert.notEqual(value, undefined, `the test knows no value for ${name}`);
      return [name, value] as const;
    }),
  );
}

/** A prompt, five texts, calls and results, a reply; then the picture. */
const pictureBlock = 17;

function withPicture(session: ClaudeCodeSession): string {
  const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';
  const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
  return session
    .prompt('PICTURE')
    .toString()
    .replace('"PICTURE"', JSON.stringify([picture]));
}

describe('the questions', () => {
  let folder = '';
  let analysis: Analysis;
  let answered: (answer: Answer) => void = () => undefined;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'questions-'));
    const path = join(folder, 'session.jsonl');
    await writeFile(path, withPicture(addToolTurns(new ClaudeCodeSession(), 'Why?', 5, 2000)));
    await new Promise<void>(resolve => {
      analysis = new Analysis({
        openTranscript,
        scanner: { scan: () => Promise.resolve([]) },
        post: message => {
          if (message.type === 'answer') {
            answered(message);
          } else if (message.type !== 'progress' && message.type !== 'failed' && !message.pending) {
            resolve();
          }
        },
      });
      analysis.handle({ type: 'open', fileName: 'session.jsonl', input: { kind: 'file', path } });
    });
  });
  after(() => rm(folder, { recursive: true }));

  const answerOf = (question: WorkerQuestion): Promise<Answer> =>
    new Promise(resolve => {
      answered = answer => resolve(structuredClone(answer));
      analysis.handle({ type: 'question', id: 1, question });
    });

  for (const [name, { params }] of Object.entries(pageQuestions)) {
    it(`of the page go through the gate: ${name}`, () => {
      const message = { type: 'question', id: 1, question: { name, params: paramsOf(params.entries) } };
      assert.deepEqual(readMessage(inspectorPage, message), { ok: true, message });
      const wrong = { ...message, question: { name, params: { other: 1 } } };
      assert.equal(readMessage(inspectorPage, wrong).ok, false);
    });
  }

  for (const [name, { params, result }] of Object.entries(workerQuestions)) {
    it(`are answered by the worker as their schema says: ${name}`, async () => {
      const others = {
        path: join(folder, 'export.json'),
        notOver: join(folder, 'session.jsonl'),
        folder: join(folder, 'handed'),
        ...(name === 'blockImage' && { block: pictureBlock }),
      };
      const question = { name, params: paramsOf(params.entries, others) };
      assert.ok(isWorkerQuestion(question));
      const answer = await answerOf(question);
      assert.ok(answer.ok, JSON.stringify(answer));
      assert.ok(v.is(result, answer.value), JSON.stringify(answer.value).slice(0, 500));
      if (name in pageQuestions) {
        // VS Code sends messages to the page as JSON.
        assert.ok(v.is(result, JSON.parse(JSON.stringify(answer.value))));
      }
    });
  }

  it('of the page are for the worker or for the host', () => {
    const known = [...Object.keys(workerQuestions), ...Object.keys(hostQuestions)];
    assert.deepEqual(
      Object.keys(pageQuestions).filter(name => !known.includes(name)),
      [],
    );
  });

  it('do not compile without an answer, nor answers without a question or of another type', () => {
    const table = { size: { params: v.strictObject({}), result: v.number() } } as const;
    type Answers = AnswersOf<typeof table, undefined>;
    const complete: Answers = { size: () => 1 };
    // @ts-expect-error there is no answer to size
    const lacking: Answers = {};
    // @ts-expect-error there is no question about weight
    const idle: Answers = { size: () => 1, weight: () => 1 };
    // @ts-expect-error a size is a number
    const wrong: Answers = { size: () => 'large' };
    assert.deepEqual(Object.keys(complete), Object.keys(table));
    assert.equal([lacking, idle, wrong].length, 3);
  });

  it('do not compile where a schema and the type of an answer differ', () => {
    interface Size {
      readonly width: number;
      readonly depth?: number;
    }
    const width = v.number();
    const depth = v.exactOptional(v.number());
    const complete = schemaOf<Size>()(v.object({ width, depth }));
    // @ts-expect-error the schema lacks the depth, which is optional
    const lacking = schemaOf<Size>()(v.object({ width }));
    // @ts-expect-error the type lacks the height
    const more = schemaOf<Size>()(v.object({ width, depth, height: v.number() }));
    assert.equal([complete, lacking, more].length, 3);
  });
});

function isWorkerQuestion(question: {
  readonly name: string;
  readonly params: object;
}): question is WorkerQuestion {
  const entry = Object.entries(workerQuestions).find(([name]) => name === question.name)?.[1];
  return entry !== undefined && v.is(entry.params, question.params);
}
