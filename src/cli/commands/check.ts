import { groupBy } from '../../core/base/groupBy';
import { translate } from '../../core/base/translate';
import { credentialScanner } from '../../node/secrets/secretScannerOnDemand';
import { parseBudget } from '../budget';
import { type BudgetFinding, checkBudget } from '../checkBudget';
import { command, print, UsageError } from '../command';
import { choice, jsonOption, modelsOption, option } from '../options/options';
import { printWorkflowCommands } from '../output/terminal';
import { workflowCommand } from '../output/workflowCommand';
import { withTranscript } from '../sessions/transcripts';
import { readJsonFile, readOneOf } from '../options/values';

const formats = ['text', 'json', 'github'] as const;

interface CheckedFile {
  readonly file: string;
  readonly findings: readonly BudgetFinding[];
}

export const check = command({
  name: 'check',
  operands: ['FILE...'],
  summary: translate(
    'Checks transcripts against a budget, for continuous integration. The exit code is 1 if a limit is exceeded.',
  ),
  example: 'session.jsonl --budget budget.json',
  options: {
    budget: option(
      'FILE',
      translate(
        'JSON file with limits. Required. All members are optional: {0}, and "requests": "last" (the default) or "every".',
        'maxSystemTokens, maxToolTokens, maxKnowledgeTokens, maxTotalTokens, maxWindowShare, minFrozenShare, maxRestrictedFindings, maxCacheBreaks',
      ),
    ),
    format: choice(
      'FORMAT',
      formats,
      translate('text (the default), json, or github for annotations in a GitHub workflow.'),
    ),
    ...jsonOption,
    ...modelsOption,
  },
  async run(values, file, others) {
    if (values.budget === undefined) {
      throw new UsageError(translate('{0} is required.', '--budget'));
    }
    const format = values.json === true ? 'json' : readOneOf('--format', values.format ?? 'text', formats);
    const budget = await readJsonFile(values.budget, parseBudget);
    const files: CheckedFile[] = [];
    for (const path of [file, ...others]) {
      const findings = await withTranscript(path, values.models, async session => {
        await session.countTokens();
        return checkBudget(session, budget, credentialScanner);
      });
      files.push({ file: path, findings });
    }
    if (format === 'github') {
      await printWorkflowCommands(files.map(onceEach).map(annotate).join(''));
    } else {
      await print(format === 'json', { files }, () => files.map(onceEach).map(describe).join(''));
    }
    return files.some(({ findings }) => findings.some(({ kind }) => kind === 'exceeded')) ? 1 : 0;
  },
});

/** For people: the first request that exceeds a limit, with the number of others, instead of the same for each request. */
function onceEach({ file, findings }: CheckedFile): CheckedFile {
  const ofRequests = groupBy(
    findings.filter(({ request }) => request !== null),
    ({ kind, limit }) => `${kind} ${limit}`,
  );
  return {
    file,
    findings: [
      ...[...ofRequests.values()].flatMap(([first, ...others]) =>
        first === undefined
          ? []
          : [
              {
                ...first,
                sentence:
                  others.length === 0
                    ? first.sentence
                    : `${first.sentence} ${translate('The same in {0, plural, one {# more request} other {# more requests}}.', others.length)}`,
              },
            ],
      ),
      ...findings.filter(({ request }) => request === null),
    ],
  };
}

function describe({ file, findings }: CheckedFile): string {
  return findings.length === 0
    ? `${file}: ${translate('within the budget')}\n`
    : findings.map(({ line, sentence }) => `${file}:${line}: ${sentence}\n`).join('');
}

/** Workflow commands of GitHub Actions. */
const annotate = ({ file, findings }: CheckedFile): string =>
  findings
    .map(({ kind, limit, line, sentence }) =>
      workflowCommand(
        { level: kind === 'exceeded' ? 'error' : 'notice', file, line, title: limit },
        sentence,
      ),
    )
    .join('');
