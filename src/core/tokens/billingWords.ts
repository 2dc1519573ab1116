import { formatNumber } from '../base/format';
import { translate } from '../base/translate';
import { visibleText } from '../base/visibleText';
import type { BilledPass, Billing } from '../model/billing';

/** The facts of a request's bill other than its own tokens, one sentence without a full stop for each. */
export function billingWords({ terms, tools, passes }: Billing): readonly string[] {
  return [
    ...(terms.length === 0 ? [] : [translate('Terms: {0}', terms.map(termWords).join(', '))]),
    ...tools.map(({ name, calls }) => translate('Provider tool {0}: {1} ×', name, formatNumber(calls))),
    ...passes.map(pass => {
      const input = formatNumber(pass.input + pass.cacheRead + pass.cacheWrite);
      const output = formatNumber(pass.output);
      return pass.kind === 'run'
        ? translate('{0}: {1} input, {2} output', passWords(pass), input, output)
        : translate('{0}: {1} input, {2} output, billed too', passWords(pass), input, output);
    }),
  ];
}

function termWords(term: string): string {
  switch (term) {
    case 'fast':
      return translate('fast mode');
    case 'batch':
      return translate('batch');
    case 'flex':
      return translate('flex tier');
    case 'priority':
      return translate('priority tier');
    case 'us':
      return translate('inference in the US');
    default:
      return term;
  }
}

function passWords({ kind, model }: BilledPass): string {
  const name = visibleText(model);
  switch (kind) {
    case 'compaction':
      return translate('Compaction by the provider');
    case 'advisor':
      return translate('Advisor {0}', name);
    case 'message':
      return model === '' ? translate('Earlier step') : translate('Earlier step of {0}', name);
    case 'run':
      return model === '' ? translate('Sum of the run') : translate('Sum of the run, {0}', name);
    case 'other':
      return translate('Further pass');
  }
}
