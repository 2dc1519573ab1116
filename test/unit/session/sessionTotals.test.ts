import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasBits } from '../../../src/core/base/numbers';
import { requestFlags, type SessionColumns } from '../../../src/core/model/columns';
import { lookUpModel } from '../../../src/core/tokens/modelTable';
import { jumpSentence, notRecordedParts, ownWords } from '../../../src/core/view/notRecordedParts';
import { recordedInput, RequestTokens } from '../../../src/core/view/requestTokens';
import { buildRequestView } from '../../../src/core/view/requestView';
import { requestSources } from '../../../src/core/view/sourceSums';
import { addToolTurns, ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { openedSamples } from '../../fixtures/openedSamples';
import { skipWithout } from '../../fixtures/sharedFiles';
import { HandMade, measuresOf, toColumns, usageOf } from './handMade';
import { openText } from './openText';

/** Checks that all shown parts of a request add up to its recorded input. */
function assertExact(columns: SessionColumns, name: string): void {
  const tokens = new RequestTokens(columns);
  columns.requests.length.forEach((length, request) => {
    const input = recordedInput(columns, request);
    if (input === undefined) {
      return;
    }
    assert.equal(tokens.prefix(request, length), input, `${name}, request ${request}`);
    const view = buildRequestView(columns, request, { low: 0, high: 0 });
    const shown = view.tokens.reduce((sum, size) => sum + size, view.notRecorded.value);
    assert.equal(shown, input, `${name}, request ${request}`);
    const bySource = requestSources(columns, view).reduce((sum, size) => sum + size, 0);
    assert.equal(Math.round(bySource), input, `${name}, request ${request} by source`);
    assert.ok((columns.requests.notRecordedError[request] ?? 0) <= 1);
  });
}

/** Results of 5,000 tokens, each after a call; the input falls by the first of them at `fall`. */
function sessionWithFall(fall: number, thread = 0) {
  const made = new HandMade();
  const blocks = [made.prompt('Read all shelves.')];
  const context = made.builder.startContext(blocks);
  const list = made.builder.contexts[context] ?? [];
  let total = 20_000;
  for (let request = 0; request < 8; request += 1) {
    if (request > 0) {
      const { call, result } = made.toolPair('Read', `call_${request}`, `shelf ${request}`);
      list.push(call, result);
      total += 5_160;
    }
    total -= request === fall ? 15_000 : 0;
    made.request(context, list.length, { usage: usageOf(total, 0), thread });
  }
  const transcript = made.build();
  return toColumns(
    transcript,
    measuresOf(transcript, block => (transcript.blocks.at(block)?.kind === 'toolResult' ? 4_200 : 50)),
  );
}

describe('totals of a session', () => {
  it('leaves what is not recorded as it is where the input only grows by its blocks', () => {
    const columns = sessionWithFall(-1);
    const hidden = Array.from(columns.requests.notRecorded);
    const [first = 0] = hidden;
    assert.ok(Math.abs(first - 20_000) < 200, String(first));
    assert.deepEqual(new Set(hidden), new Set([first]));
    assert.ok(columns.requests.jump.every(tokens => tokens === 0));
    assertExact(columns, 'steady');
  });

  it('names a fall that nothing explains, and marks the oldest results as probably cleared', () => {
    const columns = sessionWithFall(6);
    const { jump, notRecorded } = columns.requests;
    assert.ok(Math.abs((jump[6] ?? 0) + 15_000) < 600, String(jump[6]));
    assert.equal(jump.filter(tokens => tokens !== 0).length, 1);
    // The unrecorded part does not pay for the others.
    assert.ok(Math.min(...notRecorded) > 18_000, [...notRecorded].join(' '));
    const parts = notRecordedParts(
      columns,
      { agent: { name: 'Claude Code', versions: ['2.1.62'] }, model: 'claude-opus-5-5', problems: [] },
      buildRequestView(columns, 6),
    );
    const [left] = parts.left;
    assert.ok(left !== undefined);
    assert.equal(left.departure, 'cleared');
    assert.ok(Math.abs(left.tokens - 15_000) < 1_000, String(left.tokens));
    assert.match(jumpSentence(parts) ?? '', /disappeared from the context here, probably old tool results/);
    // Before the fall, the results are there; from then on, they have no tokens.
    const [block = 0] = left.blocks;
    const at = (request: number): number => {
      const view = buildRequestView(columns, request);
      return view.tokens[view.blocks.indexOf(block)] ?? 0;
    };
    assert.ok(at(5) > 4_000 && at(6) === 0 && at(7) === 0);
    assertExact(columns, 'fall');
  });

  it('splits what is not recorded into the agent’s own and the user’s', () => {
    const columns = sessionWithFall(-1);
    const view = buildRequestView(columns, 3);
    const parts = notRecordedParts(
      columns,
      { agent: { name: 'Claude Code', versions: ['2.1.62'] }, model: 'claude-opus-5-5', problems: [] },
      view,
    );
    assert.equal(parts.own?.version, '2.1.330');
    assert.ok(parts.own.tokens > 5_000);
    assert.equal(parts.own.tokens + (parts.yours ?? 0), view.notRecorded.value);
    const older = notRecordedParts(
      columns,
      {
        agent: { name: 'Claude Code', versions: ['2.1.62'] },
        model: 'claude-opus-4-6',
        problems: [],
      },
      view,
    );
    // It sends a longer prompt and more tools to this model.
    assert.ok((older.own?.tokens ?? 0) > 1.5 * parts.own.tokens);
    const other = notRecordedParts(
      columns,
      { agent: { name: 'Claude Code', versions: ['9.0.1'] }, model: 'claude-opus-5-5', problems: [] },
      view,
    );
    assert.equal(other.own, undefined);
  });

  it('names tokens that came without a record, by the call beside them, and keeps them apart', () => {
    const made = new HandMade();
    const context = made.builder.startContext([made.prompt('Where is it?')]);
    const list = made.builder.contexts[context] ?? [];
    let total = 15_000;
    for (let request = 0; request < 6; request += 1) {
      if (request > 0) {
        const { call, result } = made.toolPair(
          request === 4 ? 'ToolSearch' : 'Read',
          `c${request}`,
          `r${request}`,
        );
        list.push(call, result);
        total += 1_300 + (request === 4 ? 9_000 : 0);
      }
      made.request(context, list.length, { usage: usageOf(total, 0) });
    }
    const transcript = made.build();
    const columns = toColumns(
      transcript,
      measuresOf(transcript, block => (transcript.blocks.at(block)?.kind === 'toolResult' ? 1_000 : 30)),
    );
    const partsAt = (request: number) =>
      notRecordedParts(
        columns,
        { agent: { name: 'Claude Code', versions: ['2.1.62'] }, model: 'claude-opus-5-5', problems: [] },
        buildRequestView(columns, request),
      );
    assert.equal(partsAt(3).came, 0);
    assert.equal(partsAt(4).cause, 'tools');
    assert.match(jumpSentence(partsAt(4)) ?? '', /entered the context here.*tool definitions/);
    assert.equal(jumpSentence(partsAt(5)), undefined);
    assert.ok(Math.abs(partsAt(5).came - 9_000) < 300, String(partsAt(5).came));
    assert.equal(partsAt(5).found, 0);
    assert.equal(partsAt(5).cause, 'unknown');
    assert.ok(Math.abs((partsAt(5).yours ?? 0) - (partsAt(3).yours ?? 0)) < 300);
    assertExact(columns, 'arrival');
  });

  it('names what searches of the provider found as a part of what is not recorded', () => {
    const made = new HandMade();
    const context = made.builder.startContext([made.prompt('Compare the prices.')]);
    const list = made.builder.contexts[context] ?? [];
    let total = 15_000;
    for (let request = 0; request < 5; request += 1) {
      if (request > 0) {
        const tool = request === 2 ? 'web_search' : request === 3 ? 'ToolSearch' : 'Read';
        const { call, result } = made.toolPair(tool, `c${request}`, `r${request}`);
        list.push(call, result);
        total += 1_300 + (request === 2 ? 12_000 : request === 3 ? 4_000 : 0);
      }
      made.request(context, list.length, { usage: usageOf(total, 0) });
    }
    const transcript = made.build();
    const columns = toColumns(
      transcript,
      measuresOf(transcript, block => (transcript.blocks.at(block)?.kind === 'toolResult' ? 1_000 : 30)),
    );
    const parts = notRecordedParts(
      columns,
      { agent: { name: 'an agent', versions: [] }, model: 'claude-opus-5-5', problems: [] },
      buildRequestView(columns, 4),
    );
    assert.ok(Math.abs(parts.found - 12_000) < 300, String(parts.found));
    assert.ok(Math.abs(parts.came - 16_000) < 600, String(parts.came));
    const words = ownWords(parts);
    assert.equal(words.length, 2);
    assert.match(words[0] ?? '', /^search results of the provider: about 1[12],\d{3} tokens$/);
    assert.match(words[1] ?? '', /^added without a record: about [34],\d{3} tokens$/);
  });

  it('anchors a request without usage to the one before it', () => {
    const made = new HandMade();
    const prompts = Array.from({ length: 9 }, (_, index) => made.prompt(`prompt ${index}`));
    const context = made.builder.startContext(prompts);
    for (let length = 1; length <= 8; length += 1) {
      made.request(context, length, { usage: usageOf(30_000 + 1_190 * length, 0) });
    }
    made.request(context, 9, {});
    const transcript = made.build();
    const view = buildRequestView(
      toColumns(
        transcript,
        measuresOf(transcript, () => 1_000),
      ),
      8,
    );
    assert.equal(view.total.quality, 'estimated');
    assert.ok(Math.abs(view.total.value - 40_710) < 200, String(view.total.value));
    assert.ok((view.total.error ?? 1) < 0.02, String(view.total.error));
  });

  /** Requests that each read a result of 1,000 tokens. Request 3 records nothing; at request `rise`, 9,000 tokens come. */
  function sessionWithRise(rise: number): SessionColumns {
    const made = new HandMade();
    const context = made.builder.startContext([made.prompt('Where is it?')]);
    const list = made.builder.contexts[context] ?? [];
    let total = 15_000;
    for (let request = 0; request < 6; request += 1) {
      if (request > 0) {
        const { call, result } = made.toolPair('Read', `c${request}`, `r${request}`);
        list.push(call, result);
        total += 1_100 + (request === rise ? 9_000 : 0);
      }
      made.request(context, list.length, request === 3 ? {} : { usage: usageOf(total, 0) });
    }
    const transcript = made.build();
    return toColumns(
      transcript,
      measuresOf(transcript, block => (transcript.blocks.at(block)?.kind === 'toolResult' ? 1_000 : 30)),
    );
  }

  for (const rise of [3, 4]) {
    it(`states an error that covers a jump at or after a request without usage (${rise})`, () => {
      const { total } = buildRequestView(sessionWithRise(rise), 3);
      const truth = 15_000 + 3 * 1_100 + (rise === 3 ? 9_000 : 0);
      const error = (total.error ?? 0) * total.value;
      assert.ok(Math.abs(total.value - truth) <= error, JSON.stringify(total));
      assert.ok(error < 6_000, String(error));
    });
  }

  it('states no error below 0.1 % for a total that is not recorded', () => {
    const { total } = buildRequestView(sessionWithRise(0), 3);
    assert.ok((total.error ?? 0) >= 0.001 && (total.error ?? 0) < 0.1, JSON.stringify(total));
  });

  it('says that a total is the least if nothing in its thread is recorded', () => {
    const made = new HandMade();
    const context = made.builder.startContext([made.prompt('Where is it?')]);
    made.request(context, 1, {});
    const transcript = made.build();
    const { total } = buildRequestView(
      toColumns(
        transcript,
        measuresOf(transcript, () => 30),
      ),
      0,
    );
    assert.equal(total.isLeast, true);
    assert.equal(total.error, undefined);
  });

  it('does not take thinking out of a context that never had it', () => {
    const made = new HandMade();
    const first = made.builder.startContext([made.prompt('Where is it?')]);
    made.request(first, 1, { usage: usageOf(20_000, 0), model: 'gpt-5.5' });
    const thinking = made.block({
      label: 'Perhaps on the upper shelf.',
      role: 'assistant',
      kind: 'thinking',
      provenance: 'developer',
    });
    made.builder.contexts[first]?.push(thinking);
    made.request(first, 2, { usage: usageOf(23_000, 0), model: 'gpt-5.5' });
    const second = made.builder.startContext([made.prompt('A summary'), made.prompt('Go on.')]);
    made.request(second, 2, { usage: usageOf(12_000, 0), model: 'gpt-5.5' });
    const transcript = made.build();
    const columns = toColumns(
      transcript,
      measuresOf(transcript, block => (block === thinking ? 3_000 : 1_000)),
      lookUpModel,
    );
    const { blocks } = columns;
    const tokens =
      columns.contexts[second]?.reduce((sum, block) => sum + (blocks.tokens[block] ?? 0), 0) ?? 0;
    assert.equal((columns.requests.notRecorded[2] ?? 0) + tokens, 12_000);
  });

  it('adds up exactly on sessions written for this project', async () => {
    for (const [turns, characters] of [
      [3, 400],
      [40, 2_000],
    ] as const) {
      const session = addToolTurns(new ClaudeCodeSession(), 'Find the cause.', turns, characters);
      const opened = await openText(session.compact('All of it, in short.').toString());
      await opened.countTokens();
      assertExact(opened.toSession().columns, `${turns} turns`);
    }
  });

  it(
    'adds up exactly on every request of recorded sessions, and is never 0 where it was not 0',
    { skip: skipWithout('samples') },
    async () => {
      for await (const {
        file,
        session: { columns },
      } of openedSamples()) {
        assertExact(columns, file);
        const { requests } = columns;
        const largest = new Map<number, number>();
        requests.context.forEach((context, request) => {
          const hidden = requests.notRecorded[request] ?? 0;
          const before = largest.get(context) ?? 0;
          const isOpen =
            recordedInput(columns, request) !== undefined &&
            !hasBits(requests.flags, request, requestFlags.complete);
          assert.ok(!isOpen || before === 0 || hidden > 0, `${file}, request ${request}`);
          largest.set(context, Math.max(before, hidden));
        });
      }
    },
  );
});
