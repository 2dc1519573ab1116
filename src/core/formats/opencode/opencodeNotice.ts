import { translate } from '../../base/translate';
import type { Decoder } from '../../reading/format';

/** `opencode export` says "Exporting session: …" on its error output; redirected with the rest it stands before the JSON. */
const notice = 'Exporting session';

export const opencodeNotice: Decoder = {
  id: 'opencode-notice',
  matches: head => {
    const at = new TextDecoder().decode(head.subarray(0, 200)).split('{')[0]?.indexOf(notice) ?? -1;
    // Colours may stand before it, and nothing else.
    return at >= 0 && at < 20;
  },
  decode: bytes => {
    const start = bytes.indexOf('{'.charCodeAt(0));
    return start < 0
      ? Promise.reject(new Error(translate('This opencode export contains no session.')))
      : Promise.resolve({ kind: 'bytes', bytes: bytes.subarray(start) });
  },
};
