import { z } from 'zod';

const environment = z.object({
  DATABASE_URL: z.string().url(),
  PORT: z.coerce.number().default(4080),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  DEFAULT_TIME_ZONE: z.string().default('Europe/Oslo'),
});

export type Config = z.infer<typeof environment>;

export function readConfig(source: NodeJS.ProcessEnv = process.env): Config {
  return environment.parse(source);
}
