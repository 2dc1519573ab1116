import type { FastifyInstance } from 'fastify';
import { formatDay } from '../dates/calendarDate.js';
import type { Pool } from 'pg';
import { z } from 'zod';
import { parseDate } from '../dates/parseDate.js';
import { money } from '../money.js';
import { PeriodRepository } from './period.repository.js';

const body = z.object({
  label: z.string().min(1),
  startsOn: z.string(),
  endsOn: z.string(),
  closedOn: z.string().optional(),
  closedBy: z.string().min(1).optional(),
  vatReportedOn: z.string().optional(),
  isAdjustment: z.boolean(),
});

const range = z.object({ from: z.string(), to: z.string() });

/** Routes below /companies/:companyId/periods. Closing is undone only by an auditor. */
export async function periodRoutes(server: FastifyInstance, options: { pool: Pool; timeZone: string }): Promise<void> {
  const repository = new PeriodRepository(options.pool);
  const prefix = '/companies/:companyId/periods';

  server.get<{ Params: { companyId: number; id: number } }>(`${prefix}/:id`, async request => {
    const { companyId, id } = request.params;
    return present(await repository.get(companyId, id));
  });

  server.get<{ Params: { companyId: number } }>(`${prefix}/by-starts-on`, async request => {
    const { from, to } = range.parse(request.query);
    const found = await repository.findStartsOnBetween(request.params.companyId, parseDate(from), parseDate(to));
    return found.map(present);
  });

  server.get<{ Params: { companyId: number } }>(`${prefix}/by-ends-on`, async request => {
    const { from, to } = range.parse(request.query);
    const found = await repository.findEndsOnBetween(request.params.companyId, parseDate(from), parseDate(to));
    return found.map(present);
  });

  server.get<{ Params: { companyId: number } }>(`${prefix}/by-closed-on`, async request => {
    const { from, to } = range.parse(request.query);
    const found = await repository.findClosedOnBetween(request.params.companyId, parseDate(from), parseDate(to));
    return found.map(present);
  });

  server.get<{ Params: { companyId: number } }>(`${prefix}/by-vat-reported-on`, async request => {
    const { from, to } = range.parse(request.query);
    const found = await repository.findVatReportedOnBetween(request.params.companyId, parseDate(from), parseDate(to));
    return found.map(present);
  });

  server.post<{ Params: { companyId: number } }>(prefix, async (request, reply) => {
    const input = body.parse(request.body);
    const id = await repository.insert(request.params.companyId, {
      ...input,
      startsOn: parseDate(input.startsOn),
      endsOn: parseDate(input.endsOn),
      closedOn: input.closedOn === undefined ? undefined : parseDate(input.closedOn),
      vatReportedOn: input.vatReportedOn === undefined ? undefined : parseDate(input.vatReportedOn),
    });
    return reply.code(201).send({ id });
  });

  server.delete<{ Params: { companyId: number; id: number } }>(`${prefix}/:id`, async (request, reply) => {
    await repository.remove(request.params.companyId, request.params.id);
    return reply.code(204).send();
  });
}

function present(period: Awaited<ReturnType<PeriodRepository['get']>>): Record<string, unknown> {
  return {
    id: period.id,
    label: period.label,
    startsOn: formatDay(period.startsOn),
    endsOn: formatDay(period.endsOn),
    closedOn: period.closedOn && formatDay(period.closedOn),
    closedBy: period.closedBy,
    vatReportedOn: period.vatReportedOn && formatDay(period.vatReportedOn),
    isAdjustment: period.isAdjustment,
  };
}
