import { Gate } from '../core/sensitivity/gate';
import { secretScanner } from '../node/secrets/secretScannerOnDemand';
import type { Log } from './desk';

/**
 * A log whose lines are cleaned of credentials before they reach `output`, because people attach logs to error reports.
 */
export function cleanLog(output: Log): Log {
  const gate = new Gate(secretScanner);
  let last = Promise.resolve<unknown>(undefined);
  // Lines stay in their order, however long the scan takes. A line that cannot be scanned is dropped.
  const add = (line: string, write: (text: string) => void): void => {
    const clean = gate.text(line);
    last = Promise.allSettled([clean, last]).then(([scanned]) => {
      if (scanned.status === 'fulfilled') {
        write(scanned.value);
      }
    });
  };
  return {
    debug: line => add(line, text => output.debug(text)),
    warn: line => add(line, text => output.warn(text)),
    error: line => add(line, text => output.error(text)),
    dispose: () => output.dispose(),
  };
}
