import { translate } from '../../core/base/translate';
import { wasteOf } from '../../core/questions/wasteQuestion';
import { savingText, wasteHeadline, WasteWords } from '../../core/waste/wasteWords';
import { command, type ExitCode, print } from '../command';
import { jsonOption, modelsOption } from '../options/options';
import { formatOption } from '../options/transcriptOptions';
import { withTranscript } from '../sessions/transcripts';
import { inLines } from '../output/words';

export const waste = command({
  name: 'waste',
  summary: translate(
    'Shows avoidable context of a session, its cost and how to fix it: servers never called, files read twice, output that a flag can avoid and so on.',
  ),
  example: 'session.jsonl',
  options: { ...jsonOption, ...modelsOption, ...formatOption },
  run: (values, file) =>
    withTranscript(
      file,
      values.models,
      async (session): Promise<ExitCode> => {
        await session.measure();
        const report = await wasteOf(session);
        const words = new WasteWords(session.toSession());
        const findings = report.findings.map(finding => ({ ...finding, ...words.of(finding) }));
        await print(values.json, { ...report, findings }, () =>
          inLines([
            wasteHeadline(report),
            ...findings.flatMap(({ title, evidence, advice, ...finding }) => [
              '',
              `${savingText(finding)}  ${title}`,
              `  ${evidence}`,
              `  → ${[advice.text, advice.code].filter(part => part !== '').join(' ')}`,
            ]),
          ]),
        );
        return 0;
      },
      { format: values.format },
    ),
});
