import { defined } from '../base/defined';
import type { CacheReport } from '../cache/cacheFinding';
import type { Session } from '../model/columns';
import { IndexedTexts } from '../model/textTable';

/**
 * A session without any text of the transcript: no titles, labels or tool names, and only models that the program
 * knows. Works by an allow-list, so a new member stays out until someone adds it.
 */
export function figuresOnly({ summary, columns }: Session): Session {
  const { format, models, messages, began, ended, compactions, problems, encoding } = summary;
  const known = new Set(models.map(({ id }) => id));
  const { strings, requests } = columns;
  const kept = new Map(
    [...new Set(requests.model)].flatMap(number => {
      const id = strings.at(number) ?? '';
      return known.has(id) ? [[number, id] as const] : [];
    }),
  );
  return {
    columns: { ...columns, strings: new KeptTexts(strings.length, kept) },
    summary: {
      format,
      agent: { name: format, versions: [] },
      title: format,
      model: known.has(summary.model) ? summary.model : '',
      models,
      messages,
      compactions,
      subagents: [],
      conversations: [],
      problems,
      leftOut: [],
      encoding,
      ...defined({ began, ended }),
    },
  };
}

/** The findings without their evidence, because evidence names blocks, tools and files. */
export function figuresOfCache(report: CacheReport): CacheReport {
  return { ...report, findings: report.findings.map(finding => ({ ...finding, evidence: [] })) };
}

/** Some texts of a table; all others are empty. */
class KeptTexts extends IndexedTexts {
  constructor(
    readonly length: number,
    private readonly kept: ReadonlyMap<number, string>,
  ) {
    super();
  }

  at(index: number): string | undefined {
    return index < this.length ? (this.kept.get(index) ?? '') : undefined;
  }
}
