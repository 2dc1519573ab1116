import { translate } from '../../core/base/translate';
import { projectOf } from '../../core/index/indexedSession';
import { UsageSums } from '../../core/index/usageSums';
import { importedPaths } from '../../core/price/claudeMemory';
import { isPriced, pricedAgents, type PricedAgent } from '../../core/price/promptFiles';
import {
  type PriceReport,
  priceChange,
  type RepositoryFiles,
  type WeeklyUse,
} from '../../core/price/priceChange';
import { changedServers, recordedName, type ServerTexts } from '../../core/price/serverTexts';
import { defined } from '../../core/base/defined';
import type { SessionFile } from '../../core/finder/sessionList';
import { recordedServers } from '../../node/index/recordedServers';
import { priceSarif } from '../output/priceSarif';
import { priceMarkdown } from '../output/priceMarkdown';
import { fileText, priceLines } from '../output/priceWords';
import { loadTokenizer } from '../../core/tokens/bytePairTokenizer';
import type { ModelLookUp } from '../../core/tokens/modelTable';
import { inputOf } from '../../core/tokens/prices';
import { billedParts } from '../../core/tokens/usageFigures';
import { lookUpWith } from '../../core/tokens/userModels';
import { commitOf, filesOfCommit, filesOfFolder, GitError, repositoryOf } from '../../node/git/repository';
import { pathKey } from '../../node/index/updateIndex';
import { command, type ExitCode, print } from '../command';
import { choice, flag, jsonOption, modelsOption, option } from '../options/options';
import { UsageError } from '../options/usageError';
import { readModels, readOneOf, readWhole, refuse } from '../options/values';
import { printWorkflowCommands } from '../output/terminal';
import { workflowCommand } from '../output/workflowCommand';
import { inLines } from '../output/words';
import { withAllSessions } from '../sessions/allSessions';

const formats = ['text', 'json', 'sarif', 'github', 'markdown'] as const;

const serverFile = '.mcp.json';
/** Weeks of sessions that are counted. */
const weeks = 4;
const day = 86_400_000;
/** Assumed where no session is found. */
const assumedRequests = 500;
const assumedRead = 0.9;
const assumedModels: Readonly<Record<PricedAgent, string>> = {
  'Claude Code': 'claude-sonnet-4-6',
  Codex: 'gpt-5.5',
  opencode: 'claude-sonnet-4-6',
};

export const price = command({
  name: 'price',
  operands: [],
  summary: translate(
    'Says what a change to instruction files, skills, servers, settings or tool schemas of a repository adds to each request of an agent, and per week. The exit code is 1 if a limit is exceeded.',
  ),
  example: '--base main --max-tokens 500',
  options: {
    base: option('REF', translate('Compare with this commit. Default: HEAD.')),
    head: option(
      'REF',
      translate('The commit with the change. Default: the files in the folder as they are.'),
    ),
    agent: choice('AGENT', pricedAgents, translate('Only this agent: {0}.', pricedAgents.join(', '))),
    model: option(
      'MODEL',
      translate('Count and price for this model. Default: the one that the sessions used most.'),
    ),
    requests: option(
      'N',
      translate(
        'Requests per week. Default: those of the last four weeks in this project, or {0} if there are none.',
        assumedRequests,
      ),
    ),
    'no-sessions': flag(translate('Read no sessions; assume the requests per week.')),
    'max-tokens': option('N', translate('Exceeded if a change adds more tokens to a request.')),
    format: choice(
      'FORMAT',
      formats,
      translate('text (the default), json, sarif, github for annotations, or markdown for a comment.'),
    ),
    ...jsonOption,
    ...modelsOption,
  },
  async run(values): Promise<ExitCode> {
    refuse(values.json === true && values.format !== undefined, '--json', '--format');
    const format = values.json === true ? 'json' : readOneOf('--format', values.format ?? 'text', formats);
    const most = readWhole('--max-tokens', values['max-tokens'], 0, undefined);
    const requests = readWhole('--requests', values.requests, 0, undefined);
    const agents =
      values.agent === undefined ? pricedAgents : [readOneOf('--agent', values.agent, pricedAgents)];
    const rowOf = lookUpWith(await readModels(values.models));
    const report = await asUsageError(async () => {
      const root = await repositoryOf(process.cwd());
      const base = await commitOf(root, values.base ?? 'HEAD');
      const head = values.head === undefined ? null : await commitOf(root, values.head);
      const filesOf = (commit: string | null): Promise<RepositoryFiles> =>
        withImported(root, isMeant =>
          commit === null ? filesOfFolder(root, isMeant) : filesOfCommit(root, commit, isMeant),
        );
      const [before, after] = [await filesOf(base), await filesOf(head)];
      const servers = changedServers(before.get(serverFile), after.get(serverFile)).map(recordedName);
      const found = values['no-sessions'] === true ? undefined : await sessionsOf(root, rowOf, servers);
      const uses = agents.map((agent): WeeklyUse => {
        const own = found?.uses.find(each => each.agent === agent);
        const use = own ?? assumedUse(agent, values.model ?? assumedModels[agent], rowOf);
        return {
          ...use,
          model: values.model ?? use.model,
          requests: requests ?? use.requests,
          isAssumed: requests !== undefined ? false : use.isAssumed,
        };
      });
      const count = async (text: string): Promise<number> => (await loadTokenizer('o200k_base')).count(text);
      const priced = await priceChange(
        before,
        after,
        { root, uses, rowOf, ...defined({ servers: found?.servers }) },
        count,
      );
      // Agents that read none of the changed files have nothing to say.
      return { base, head, ...priced, agents: priced.agents.filter(({ files }) => files.length > 0) };
    });
    await write(report, format, agents);
    return most !== undefined && report.agents.some(({ tokens }) => tokens > most) ? 1 : 0;
  },
});

/** The files that agents read, also those that are named in a file with `@`, whatever their name is. */
async function withImported(
  root: string,
  read: (isMeant: (path: string) => boolean) => Promise<RepositoryFiles>,
): Promise<RepositoryFiles> {
  const files = await read(isPriced);
  const named = [...files].flatMap(([path, text]) => importedPaths(path, text, root));
  const missing = new Set(named.filter(path => !files.has(path)));
  return missing.size === 0 ? files : new Map([...files, ...(await read(path => missing.has(path)))]);
}

async function write(
  report: PriceReport,
  format: (typeof formats)[number],
  asked: readonly PricedAgent[],
): Promise<void> {
  switch (format) {
    case 'json':
      return print(true, report, () => '');
    case 'sarif':
      return print(true, priceSarif(report, process.env['PROGRAM_VERSION'] ?? ''), () => '');
    case 'github':
      return printWorkflowCommands(report.agents.map(annotations).join(''));
    case 'markdown':
      return print(false, report, () => priceMarkdown(report, asked));
    case 'text':
      return print(false, report, () => inLines(priceLines(report, asked)));
  }
}

const annotations = (agent: PriceReport['agents'][number]): string =>
  agent.files
    .map(file =>
      workflowCommand(
        {
          level: file.tokens > 0 ? 'warning' : 'notice',
          file: file.path,
          line: 1,
          title: translate('Price of this change'),
        },
        fileText(file, agent),
      ),
    )
    .join('');

async function asUsageError<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof GitError ? new UsageError(`git: ${error.message}`) : error;
  }
}

function assumedUse(agent: PricedAgent, model: string, rowOf: ModelLookUp): WeeklyUse {
  const prices = rowOf(model)?.prices;
  return {
    agent,
    model,
    requests: assumedRequests,
    tokenPrice:
      prices && (assumedRead * prices.cacheRead + (1 - assumedRead) * prices.cacheWrite) / 1_000_000,
    isAssumed: true,
  };
}

interface Use {
  requests: number;
  input: number;
  money: number;
  readonly models: Map<string, number>;
  readonly versions: Map<string, number>;
}

interface ProjectSessions {
  readonly uses: readonly WeeklyUse[];
  readonly servers: ServerTexts;
}

/**
 * The requests of each agent in a repository in the last weeks, and the tools of some servers in its sessions of Claude
 * Code of any time.
 */
async function sessionsOf(
  root: string,
  rowOf: ModelLookUp,
  names: readonly string[],
): Promise<ProjectSessions> {
  const uses = new Map<PricedAgent, Use>();
  const servers = await withAllSessions(false, async ({ index, files }) => {
    const listed = new Map(files.map(file => [pathKey(file), file]));
    const oldestFirst: SessionFile[] = [];
    const sums = new UsageSums({ by: 'agent', since: Date.now() - weeks * 7 * day }, rowOf, request => {
      const { session, model, usage, version } = request;
      const agent = pricedAgents.find(name => name === session.agent);
      if (agent === undefined || !isWithin(root, projectOf(session))) {
        return;
      }
      const use: Use = uses.get(agent) ?? {
        requests: 0,
        input: 0,
        money: 0,
        models: new Map(),
        versions: new Map(),
      };
      uses.set(agent, use);
      const parts = billedParts(request);
      use.requests += 1;
      use.models.set(model, 1 + (use.models.get(model) ?? 0));
      if (version !== '') {
        use.versions.set(version, 1 + (use.versions.get(version) ?? 0));
      }
      if (parts !== undefined) {
        use.input += inputOf(usage);
        use.money += parts.input + parts.cacheRead + parts.cacheWrite;
      }
    });
    await index.usage(usage => {
      const file = listed.get(usage.path);
      if (file !== undefined) {
        sums.add(usage);
        const { agent, project } = usage.session;
        if (agent === 'Claude Code' && isWithin(root, project)) {
          oldestFirst.push(file);
        }
      }
    });
    return names.length === 0 ? undefined : recordedServers(oldestFirst.toReversed(), names);
  });
  const weekly = [...uses].map(([agent, { requests, input, money, models, versions }]) => ({
    agent,
    model: mostUsed(models) ?? assumedModels[agent],
    ...defined({ version: mostUsed(versions) }),
    requests: requests / weeks,
    tokenPrice: input === 0 ? undefined : money / input,
    isAssumed: false,
  }));
  return { uses: weekly, servers: servers ?? new Map() };
}

const mostUsed = (counts: ReadonlyMap<string, number>): string | undefined =>
  [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];

function isWithin(root: string, folder: string): boolean {
  const [outer, inner] = [root, folder].map(path => `${path.replaceAll('\\', '/').replace(/\/$/, '')}/`);
  return inner?.startsWith(outer ?? '/') === true;
}
