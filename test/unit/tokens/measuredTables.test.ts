import { it } from 'node:test';
import * as v from 'valibot';
import agentSizes from '../../../src/core/tokens/measured/agentSizes.json';
import cachePauses from '../../../src/core/tokens/measured/cachePauses.json';
import growthRates from '../../../src/core/tokens/measured/growthRates.json';
import totalErrors from '../../../src/core/tokens/measured/totalErrors.json';
import {
  agentSizesSchema,
  cachePausesSchema,
  growthRatesSchema,
  totalErrorsSchema,
} from '../../../src/core/tokens/measured/tables';

it('measured tables are what their schemas say', () => {
  v.parse(agentSizesSchema, agentSizes);
  v.parse(cachePausesSchema, cachePauses);
  v.parse(growthRatesSchema, growthRates);
  v.parse(totalErrorsSchema, totalErrors);
});
