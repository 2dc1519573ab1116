import { translate } from '../../base/translate';
import type { Decoder } from '../../reading/format';

/** `opencode export` writes "Exporting session: …" to its error output, which may precede the JSON in the file. */
const notice = 'Exporting session';

export const opencodeNotice: Decoder = {
  id: 'opencode-notice',
  matches: head => {
    const at = new TextDecoder().decode(head.subarray(0, 200)).split('{')[0]?.indexOf(notice) ?? -1;
    // Only colour codes may come before the notice.
    return at >= 0 && at < 20;
  },
  decode: bytes => {
    const start = bytes.indexOf('{'.charCodeAt(0));
    return start < 0
      ? Promise.reject(new Error(translate('This opencode export contains no session.')))
      : Promise.resolve({ kind: 'bytes', bytes: bytes.subarray(start) });
  },
};
