import type { FastifyInstance } from 'fastify';
import { formatDay } from '../dates/calendarDate.js';
import type { Pool } from 'pg';
import { z } from 'zod';
import { parseDate, today } from '../dates/parseDate.js';
import { money } from '../money.js';
import { PostingRepository } from './posting.repository.js';

const body = z.object({
  entryId: z.number().int(),
  accountNumber: z.string().min(1),
  amount: money,
  currency: z.string().min(1),
  postedOn: z.string().optional(),
  valueOn: z.string().optional(),
  text: z.string().min(1).optional(),
  counterpartyId: z.number().int().optional(),
  reversedBy: z.number().int().optional(),
});

const range = z.object({ from: z.string(), to: z.string() });

/** Routes below /companies/:companyId/postings. The postings of an entry add up to nothing. */
export async function postingRoutes(server: FastifyInstance, options: { pool: Pool; timeZone: string }): Promise<void> {
  const repository = new PostingRepository(options.pool);
  const prefix = '/companies/:companyId/postings';

  server.get<{ Params: { companyId: number; id: number } }>(`${prefix}/:id`, async request => {
    const { companyId, id } = request.params;
    return present(await repository.get(companyId, id));
  });

  server.get<{ Params: { companyId: number } }>(`${prefix}/by-posted-on`, async request => {
    const { from, to } = range.parse(request.query);
    const found = await repository.findPostedOnBetween(request.params.companyId, parseDate(from), parseDate(to));
    return found.map(present);
  });

  server.get<{ Params: { companyId: number } }>(`${prefix}/by-value-on`, async request => {
    const { from, to } = range.parse(request.query);
    const found = await repository.findValueOnBetween(request.params.companyId, parseDate(from), parseDate(to));
    return found.map(present);
  });

  server.post<{ Params: { companyId: number } }>(prefix, async (request, reply) => {
    const input = body.parse(request.body);
    const id = await repository.insert(request.params.companyId, {
      ...input,
      postedOn: parseDate(input.postedOn ?? today(options.timeZone)),
      valueOn: input.valueOn === undefined ? undefined : parseDate(input.valueOn),
    });
    return reply.code(201).send({ id });
  });

  server.delete<{ Params: { companyId: number; id: number } }>(`${prefix}/:id`, async (request, reply) => {
    await repository.remove(request.params.companyId, request.params.id);
    return reply.code(204).send();
  });
}

function present(posting: Awaited<ReturnType<PostingRepository['get']>>): Record<string, unknown> {
  return {
    id: posting.id,
    entryId: posting.entryId,
    accountNumber: posting.accountNumber,
    amount: posting.amount.toString(),
    currency: posting.currency,
    postedOn: formatDay(posting.postedOn),
    valueOn: posting.valueOn && formatDay(posting.valueOn),
    text: posting.text,
    counterpartyId: posting.counterpartyId,
    reversedBy: posting.reversedBy,
  };
}
