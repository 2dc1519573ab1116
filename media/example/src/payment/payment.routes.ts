import type { FastifyInstance } from 'fastify';
import { formatDay } from '../dates/calendarDate.js';
import type { Pool } from 'pg';
import { z } from 'zod';
import { parseDate } from '../dates/parseDate.js';
import { money } from '../money.js';
import { PaymentRepository } from './payment.repository.js';

const body = z.object({
  statementId: z.number().int(),
  bookedOn: z.string(),
  valueOn: z.string().optional(),
  amount: money,
  currency: z.string().min(1),
  counterpartyAccount: z.string().min(1).optional(),
  remittance: z.string().min(1).optional(),
  matchedInvoiceId: z.number().int().optional(),
  isIgnored: z.boolean(),
});

const range = z.object({ from: z.string(), to: z.string() });

/** Routes below /companies/:companyId/payments. A payment is matched with one invoice, or with none. */
export async function paymentRoutes(server: FastifyInstance, options: { pool: Pool; timeZone: string }): Promise<void> {
  const repository = new PaymentRepository(options.pool);
  const prefix = '/companies/:companyId/payments';

  server.get<{ Params: { companyId: number; id: number } }>(`${prefix}/:id`, async request => {
    const { companyId, id } = request.params;
    return present(await repository.get(companyId, id));
  });

  server.get<{ Params: { companyId: number } }>(`${prefix}/by-booked-on`, async request => {
    const { from, to } = range.parse(request.query);
    const found = await repository.findBookedOnBetween(request.params.companyId, parseDate(from), parseDate(to));
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
      bookedOn: parseDate(input.bookedOn),
      valueOn: input.valueOn === undefined ? undefined : parseDate(input.valueOn),
    });
    return reply.code(201).send({ id });
  });

  server.delete<{ Params: { companyId: number; id: number } }>(`${prefix}/:id`, async (request, reply) => {
    await repository.remove(request.params.companyId, request.params.id);
    return reply.code(204).send();
  });
}

function present(payment: Awaited<ReturnType<PaymentRepository['get']>>): Record<string, unknown> {
  return {
    id: payment.id,
    statementId: payment.statementId,
    bookedOn: formatDay(payment.bookedOn),
    valueOn: payment.valueOn && formatDay(payment.valueOn),
    amount: payment.amount.toString(),
    currency: payment.currency,
    counterpartyAccount: payment.counterpartyAccount,
    remittance: payment.remittance,
    matchedInvoiceId: payment.matchedInvoiceId,
    isIgnored: payment.isIgnored,
  };
}
