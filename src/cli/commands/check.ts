import { secretScanner } from '../../node/secretScannerOnDemand';
import {
  commonOptions,
  modelsHelp,
  modelsOption,
  readArguments,
  readJsonFile,
  printJson,
  usageLine,
  UsageError,
  type Command,
} from '../arguments';
import { parseBudget, type Budget } from '../budget';
import { checkBudget, type BudgetFinding } from '../checkBudget';
import { withTranscript } from '../opened';

const formats = ['text', 'json', 'github'] as const;
type Format = (typeof formats)[number];

interface CheckedFile {
  readonly file: string;
  readonly findings: readonly BudgetFinding[];
}

export const check: Command = {
  name: 'check',
  synopsis: 'FILE... --budget FILE [--format text|json|github] [--models FILE]',
  help: `Holds transcripts to a budget; for continuous integration. Exit code 1 when a limit is exceeded.

  --budget FILE     limits as JSON, each optional: maxSystemTokens, maxToolTokens, maxKnowledgeTokens,
                    maxTotalTokens, maxWindowShare, minFrozenShare, maxRestrictedFindings,
                    maxCacheBreaks;
                    "requests": "last" (the default) or "every"
  --format FORMAT   text (the default), json, or github: annotations of a GitHub workflow
  --json            the same as --format json
${modelsHelp}`,
  async run(words) {
    const { values, positionals } = readArguments(words, {
      ...commonOptions,
      ...modelsOption,
      budget: { type: 'string' },
      format: { type: 'string' },
    });
    if (positionals.length === 0 || values.budget === undefined) {
      throw new UsageError(`Expected: ${usageLine(check.name, check.synopsis)}`);
    }
    const format = values.json === true ? 'json' : readFormat(values.format ?? 'text');
    const budget = await readBudget(values.budget);
    const files: CheckedFile[] = [];
    for (const file of positionals) {
      files.push({ file, findings: await checkFile(file, budget, values.models) });
    }
    print(format, files);
    return files.some(({ findings }) => findings.some(({ kind }) => kind === 'exceeded')) ? 1 : 0;
  },
};

function readFormat(text: string): Format {
  const format = formats.find(known => known === text);
  if (format === undefined) {
    throw new UsageError(`--format takes one of ${formats.join(', ')}, not "${text}".`);
  }
  return format;
}

async function readBudget(path: string): Promise<Budget> {
  const parsed = parseBudget(await readJsonFile(path));
  if (!parsed.ok) {
    throw new UsageError(`${path}: ${parsed.problem}`);
  }
  return parsed.value;
}

function checkFile(
  file: string,
  budget: Budget,
  models: string | undefined,
): Promise<readonly BudgetFinding[]> {
  return withTranscript(
    file,
    async session => {
      await session.countTokens();
      return checkBudget(session, budget, secretScanner);
    },
    models,
  );
}

function print(format: Format, files: readonly CheckedFile[]): void {
  switch (format) {
    case 'json':
      printJson({ files });
      return;
    case 'text':
      process.stdout.write(files.map(describe).join(''));
      return;
    case 'github':
      process.stdout.write(files.map(annotate).join(''));
      return;
  }
}

function describe({ file, findings }: CheckedFile): string {
  return findings.length === 0
    ? `${file}: within the budget\n`
    : findings.map(({ line, sentence }) => `${file}:${line}: ${sentence}\n`).join('');
}

/** Workflow commands of GitHub Actions. */
function annotate({ file, findings }: CheckedFile): string {
  return findings
    .map(({ kind, limit, line, sentence }) => {
      const level = kind === 'exceeded' ? 'error' : 'notice';
      return `::${level} file=${escapeProperty(file)},line=${line},title=${escapeProperty(limit)}::${escapeData(sentence)}\n`;
    })
    .join('');
}

/** As @actions/core 1.11 does (command.ts). */
export function escapeData(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

export function escapeProperty(text: string): string {
  return escapeData(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
}
