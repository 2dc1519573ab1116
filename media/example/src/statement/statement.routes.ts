import type { FastifyInstance } from 'fastify';
import { formatDay } from '../dates/calendarDate.js';
import type { Pool } from 'pg';
import { z } from 'zod';
import { parseDate } from '../dates/parseDate.js';
import { money } from '../money.js';
import { importStatement } from '../import/statementImport.js';
import { StatementRepository } from './statement.repository.js';

const body = z.object({
  bankCode: z.string().min(1),
  fileName: z.string().min(1),
  coversFrom: z.string(),
  coversTo: z.string(),
  openingBalance: money,
  closingBalance: money,
  rowCount: z.number().int(),
  importedAt: z.string(),
  checksum: z.string().min(1),
});

const range = z.object({ from: z.string(), to: z.string() });

/** Routes below /companies/:companyId/statements. Opening balance plus rows is the closing balance. */
export async function statementRoutes(server: FastifyInstance, options: { pool: Pool; timeZone: string }): Promise<void> {
  const repository = new StatementRepository(options.pool);
  const prefix = '/companies/:companyId/statements';

  server.get<{ Params: { companyId: number; id: number } }>(`${prefix}/:id`, async request => {
    const { companyId, id } = request.params;
    return present(await repository.get(companyId, id));
  });

  server.get<{ Params: { companyId: number } }>(`${prefix}/by-covers-from`, async request => {
    const { from, to } = range.parse(request.query);
    const found = await repository.findCoversFromBetween(request.params.companyId, parseDate(from), parseDate(to));
    return found.map(present);
  });

  server.get<{ Params: { companyId: number } }>(`${prefix}/by-covers-to`, async request => {
    const { from, to } = range.parse(request.query);
    const found = await repository.findCoversToBetween(request.params.companyId, parseDate(from), parseDate(to));
    return found.map(present);
  });

  server.post<{ Params: { companyId: number } }>(prefix, async (request, reply) => {
    const input = body.parse(request.body);
    const id = await repository.insert(request.params.companyId, {
      ...input,
      coversFrom: parseDate(input.coversFrom),
      coversTo: parseDate(input.coversTo),
      importedAt: new Date(input.importedAt),
    });
    return reply.code(201).send({ id });
  });

  server.post<{ Params: { companyId: number }; Body: string }>(`${prefix}/import`, async (request, reply) => {
    const { rows, problems } = importStatement(request.body);
    // Counts only: the rows hold personal data.
    request.log.info({ companyId: request.params.companyId, rows: rows.length, problems: problems.length }, 'statement read');
    return reply.code(problems.length === 0 ? 201 : 207).send({ rows: rows.length, problems });
  });

  server.delete<{ Params: { companyId: number; id: number } }>(`${prefix}/:id`, async (request, reply) => {
    await repository.remove(request.params.companyId, request.params.id);
    return reply.code(204).send();
  });
}

function present(statement: Awaited<ReturnType<StatementRepository['get']>>): Record<string, unknown> {
  return {
    id: statement.id,
    bankCode: statement.bankCode,
    fileName: statement.fileName,
    coversFrom: formatDay(statement.coversFrom),
    coversTo: formatDay(statement.coversTo),
    openingBalance: statement.openingBalance.toString(),
    closingBalance: statement.closingBalance.toString(),
    rowCount: statement.rowCount,
    importedAt: statement.importedAt,
    checksum: statement.checksum,
  };
}
