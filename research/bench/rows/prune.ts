import { blockKinds } from '../../../src/core/model/block';
import { defaultPruneOptions } from '../../../src/core/model/pruneConfig';
import { openTranscript } from '../../../src/core/session/openTranscript';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';
import { pruneFigures, requestView } from '../../../webview/state/derived';
import type { Bench } from '../context';
import { claudeCodeFile } from '../../../test/generator/claudeCodeFile';
import { interleaved } from '../measure';

const seed = 20_260_412;
const stepsInRound = 25;

/** The work of one step of a prune slider in the webview, compared with parsing a megabyte of the same session. */
export const prune: Bench = {
  name: 'prune',
  measure: async context => {
    const file = claudeCodeFile({
      seed,
      contextTokens: Number.POSITIVE_INFINITY,
      resultSize: 200,
      progressLines: 0,
    });
    const wanted = context.size === 'small' ? 1000 : 20_000;
    const parts: string[] = [];
    // Some results belong to subagents.
    while (file.facts.toolResults < wanted * 1.15) {
      parts.push(file.steps.next().value);
    }
    const bytes = Buffer.from(parts.join(''));
    const source = {
      size: bytes.length,
      read: (offset: number, length: number) => Promise.resolve(bytes.subarray(offset, offset + length)),
    };
    const opened = await openTranscript(source, { fileName: 'session.jsonl', scanner: secretScanner });
    if (!opened.ok) {
      throw new Error(opened.sentence);
    }
    const { columns } = opened.session.toSession();
    const view = requestView(columns, columns.requests.thread.lastIndexOf(0));
    const resultKind = blockKinds.indexOf('toolResult');
    const results = view.blocks.filter(block => columns.blocks.kind[block] === resultKind).length;

    const lines = bytes
      .subarray(0, 2 ** 20)
      .toString()
      .split('\n')
      .slice(0, -1);
    const json = `[${lines.join(',')}]`;
    const options = defaultPruneOptions();
    let steps = 0;
    const each = (work: () => void): number => {
      const start = performance.now();
      for (let step = 0; step < stepsInRound; step += 1) {
        work();
      }
      return (performance.now() - start) / stepsInRound;
    };
    const slide = (): void => {
      steps += 1;
      pruneFigures(columns, view, { ...options, protectTokens: 40_000 + steps * 1000 });
    };
    const parse = (): void => {
      JSON.parse(json);
    };
    each(slide);
    each(parse);
    return [
      {
        work: `one step of a prune slider at a request with ${results} tool results`,
        against: `JSON.parse of ${(json.length / 2 ** 20).toFixed(2)} MB of the session`,
        unit: 'ms',
        ...(await interleaved(
          context.rounds,
          () => each(slide),
          () => each(parse),
        )),
        target: { kind: 'share', most: 1 },
      },
    ];
  },
};
