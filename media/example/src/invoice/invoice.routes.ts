import type { FastifyInstance } from 'fastify';
import { formatDay } from '../dates/calendarDate.js';
import type { Pool } from 'pg';
import { z } from 'zod';
import { parseDate } from '../dates/parseDate.js';
import { money } from '../money.js';
import { InvoiceRepository } from './invoice.repository.js';

const body = z.object({
  invoiceNumber: z.string().min(1),
  customerId: z.number().int(),
  issuedOn: z.string(),
  dueOn: z.string(),
  paidOn: z.string().optional(),
  net: money,
  vat: money,
  currency: z.string().min(1),
  reference: z.string().min(1).optional(),
  isCredit: z.boolean(),
});

const range = z.object({ from: z.string(), to: z.string() });

/** Routes below /companies/:companyId/invoices. Numbers have no gaps within a year. */
export async function invoiceRoutes(server: FastifyInstance, options: { pool: Pool; timeZone: string }): Promise<void> {
  const repository = new InvoiceRepository(options.pool);
  const prefix = '/companies/:companyId/invoices';

  server.get<{ Params: { companyId: number; id: number } }>(`${prefix}/:id`, async request => {
    const { companyId, id } = request.params;
    return present(await repository.get(companyId, id));
  });

  server.get<{ Params: { companyId: number } }>(`${prefix}/by-issued-on`, async request => {
    const { from, to } = range.parse(request.query);
    const found = await repository.findIssuedOnBetween(request.params.companyId, parseDate(from), parseDate(to));
    return found.map(present);
  });

  server.get<{ Params: { companyId: number } }>(`${prefix}/by-due-on`, async request => {
    const { from, to } = range.parse(request.query);
    const found = await repository.findDueOnBetween(request.params.companyId, parseDate(from), parseDate(to));
    return found.map(present);
  });

  server.get<{ Params: { companyId: number } }>(`${prefix}/by-paid-on`, async request => {
    const { from, to } = range.parse(request.query);
    const found = await repository.findPaidOnBetween(request.params.companyId, parseDate(from), parseDate(to));
    return found.map(present);
  });

  server.post<{ Params: { companyId: number } }>(prefix, async (request, reply) => {
    const input = body.parse(request.body);
    const id = await repository.insert(request.params.companyId, {
      ...input,
      issuedOn: parseDate(input.issuedOn),
      dueOn: parseDate(input.dueOn),
      paidOn: input.paidOn === undefined ? undefined : parseDate(input.paidOn),
    });
    return reply.code(201).send({ id });
  });

  server.delete<{ Params: { companyId: number; id: number } }>(`${prefix}/:id`, async (request, reply) => {
    await repository.remove(request.params.companyId, request.params.id);
    return reply.code(204).send();
  });
}

function present(invoice: Awaited<ReturnType<InvoiceRepository['get']>>): Record<string, unknown> {
  return {
    id: invoice.id,
    invoiceNumber: invoice.invoiceNumber,
    customerId: invoice.customerId,
    issuedOn: formatDay(invoice.issuedOn),
    dueOn: formatDay(invoice.dueOn),
    paidOn: invoice.paidOn && formatDay(invoice.paidOn),
    net: invoice.net.toString(),
    vat: invoice.vat.toString(),
    currency: invoice.currency,
    reference: invoice.reference,
    isCredit: invoice.isCredit,
  };
}
