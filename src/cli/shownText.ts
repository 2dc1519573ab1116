import { Gate } from '../core/sensitivity/gate';
import { secretScanner } from '../node/secretScannerOnDemand';

// Everything that the command line prints passes here: labels, names of files, tools and models, errors.

/** A text for the terminal without credentials. */
export function shownText(text: string): Promise<string> {
  return new Gate(secretScanner).text(text);
}

/** The text of a JSON value without credentials. */
export function shownJson(text: string): Promise<string> {
  return new Gate(secretScanner).json(text);
}
