import { requests as requestCount, tokens as tokenCount } from '../base/countWords';
import { formatMoney, formatNumber, formatShare } from '../base/format';
import { translate } from '../base/translate';
import type { Session } from '../model/columns';
import { type Source, sources } from '../model/source';
import { type RequestName, requestNames, requestNumber } from '../view/requestNames';
import { noisyProgram } from './noisyPrograms';
import { serverOf } from './toolClaims';
import { type Advice, adviceFor, hookGroup } from './wasteAdvice';
import { wasteKindWords } from './wasteKindWords';
import type { WasteFinding, WasteReport } from './wasteReport';
import { endWithTheirTurn, turnStarts } from './wasteTurns';

/** A finding as a person reads it. The texts hold names of the session's columns, as they are shown. */
export interface WasteText {
  readonly title: string;
  readonly evidence: string;
  readonly advice: Advice;
}

/** Blocks that the evidence names. */
const named = 2;

/** Puts findings into words, with the names that a session's columns have. */
export class WasteWords {
  private readonly requests: readonly RequestName[];
  private readonly starts: ReturnType<typeof turnStarts>;

  constructor(private readonly session: Session) {
    this.starts = turnStarts(session.columns);
    this.requests = requestNames([...session.columns.requests.thread].map(thread => ({ thread })));
  }

  of(finding: WasteFinding): WasteText {
    const tools = this.toolsOf(finding);
    const server = serverOf(tools[0] ?? '');
    return {
      title: this.titleOf(finding, server, tools.length),
      evidence: this.evidenceOf(finding),
      advice: adviceFor(
        finding,
        this.session.summary.format,
        server,
        tools,
        finding.kind === 'staleReading' &&
          endWithTheirTurn(this.session.columns, this.starts, finding.blocks),
      ),
    };
  }

  /** A request's number as people count it. */
  requestNumber(request: number): string {
    const name = this.requests[request];
    return name === undefined ? '' : requestNumber(name.request);
  }

  /** The subject of a block: the object of its call, or its first words. */
  nameOf(block: number): string {
    const { blocks, strings } = this.session.columns;
    const tool = strings.at(blocks.tool[block] ?? 0) ?? '';
    const label = strings.at(blocks.label[block] ?? 0) ?? '';
    return tool !== '' && label.startsWith(`${tool} `) ? label.slice(tool.length + 1) : label;
  }

  /** The tools of a finding, each once. */
  private toolsOf({ blocks }: WasteFinding): readonly string[] {
    const { blocks: rows, strings } = this.session.columns;
    const names = blocks.map(({ block }) => strings.at(rows.tool[block] ?? 0) ?? '');
    return [...new Set(names)].filter(name => name !== '');
  }

  private titleOf({ kind, detail, sent, called }: WasteFinding, server: string, tools: number): string {
    switch (kind) {
      case 'unusedServer':
        return translate(
          '{0}: {1, plural, one {# tool} other {# tools}}, never called',
          server === '' ? translate('A server') : server,
          sent,
        );
      case 'unusedTools':
        return server === ''
          ? translate('{0, plural, one {# built-in tool} other {# built-in tools}}, never called', tools)
          : translate(
              '{0}: {1, plural, one {# tool} other {# tools}} loaded, {2} called',
              server,
              sent,
              formatNumber(called),
            );
      case 'unusedResult':
        return unusedWords[sources.find(name => name === detail) ?? 'tools'];
      case 'noisyOutput':
        return noisyWords[noisyProgram(detail)?.what ?? 'rest'](detail);
      case 'readAgain':
      case 'staleReading':
      case 'image':
      case 'snapshot':
        return wasteKindWords[kind];
      case 'repeatedInstructions':
        return detail === hookGroup ? translate('Repeated text of a hook') : wasteKindWords[kind];
    }
  }

  private evidenceOf(finding: WasteFinding): string {
    const { kind, perRequest, requests, count, tokens, blocks } = finding;
    const inEach = translate(
      '{0, plural, one {# token} other {# tokens}} in each of {1, plural, one {# request} other {# requests}}',
      Math.round(perRequest),
      requests,
    );
    const places = (at: boolean): readonly string[] =>
      [
        ...new Set(
          blocks.flatMap(({ block, since }) => {
            const name = this.nameOf(block);
            return name === '' ? [] : [at ? translate('{0} at {1}', name, this.requestNumber(since)) : name];
          }),
        ),
      ].slice(0, named);
    switch (kind) {
      case 'unusedServer':
      case 'unusedTools':
      case 'repeatedInstructions':
        return inEach;
      case 'noisyOutput': {
        const rows = this.session.columns.blocks.tokens;
        const whole = blocks.reduce((sum, { block }) => sum + (rows[block] ?? 0), 0);
        const part = blocks.reduce((sum, block) => sum + block.tokens, 0);
        return [
          translate('{0, plural, one {# run} other {# runs}}', count),
          translate(
            '{0} of the output: {1}',
            formatShare(whole === 0 ? 0 : part / whole),
            tokenCount(tokens),
          ),
        ].join(', ');
      }
      case 'readAgain':
        return [tokenCount(tokens), ...places(true)].join(', ');
      case 'staleReading':
      case 'snapshot':
      case 'image':
      case 'unusedResult':
        return [
          translate('{0}, resent in {1}', tokenCount(tokens), requestCount(requests)),
          ...places(false),
        ].join(', ');
    }
  }
}

const unusedWords: Readonly<Record<Source, string>> = {
  files: translate('Unused file contents'),
  shell: translate('Unused command output'),
  search: translate('Unused search results'),
  mcp: translate('Unused MCP results'),
  tools: wasteKindWords.unusedResult,
  notRecorded: wasteKindWords.unusedResult,
  instructions: wasteKindWords.unusedResult,
  memory: wasteKindWords.unusedResult,
  notes: wasteKindWords.unusedResult,
  you: wasteKindWords.unusedResult,
  model: wasteKindWords.unusedResult,
  thinking: wasteKindWords.unusedResult,
  subagents: wasteKindWords.unusedResult,
};

const noisyWords: Readonly<Record<'passing' | 'progress' | 'rest', (program: string) => string>> = {
  passing: program => translate('{0} prints every test that passes', program),
  progress: program => translate('{0} prints its progress', program),
  rest: program => translate('{0} prints more than needed', program),
};

/** The saving of a finding, or of all: cost if known, otherwise tokens. */
export function savingText({
  money,
  cached,
  fresh,
}: {
  readonly money: number | null;
  readonly cached: number;
  readonly fresh: number;
}): string {
  return money === null ? tokenCount(cached + fresh) : formatMoney(money);
}

/** `$1.81 of $8.39 input, 22 %`: the sum of all findings. */
export function wasteHeadline({ saved, input }: WasteReport): string {
  const share =
    saved.money !== null && input.money !== null && input.money > 0
      ? saved.money / input.money
      : (saved.cached + saved.fresh) / Math.max(1, input.cached + input.fresh);
  return translate('{0} of {1} input, {2}', savingText(saved), savingText(input), formatShare(share));
}

/** The findings as a Markdown list. The caller must make the text safe to export. */
export function wasteMarkdown(report: WasteReport, session: Session): string {
  const words = new WasteWords(session);
  const lines = report.findings.flatMap(finding => {
    const { title, evidence, advice } = words.of(finding);
    const code = advice.code === '' ? '' : ` ${codeSpan(advice.code)}`;
    return [
      `- **${plain(title)}**: ${savingText(finding)}`,
      `  ${plain(evidence)}`,
      `  → ${plain(advice.text)}${code}`,
    ];
  });
  return [`## ${translate('Waste and fixes')}`, '', wasteHeadline(report), '', ...lines, ''].join('\n');
}

/** Foreign text as text: no markup, one line. */
const plain = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|!]/g, '\\$&');

/** A code span whose fence is longer than any run of backticks inside. */
function codeSpan(code: string): string {
  const line = code.replace(/\s+/g, ' ');
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}
