import type { Decoder } from '../format';

/** `opencode export` says "Exporting session: …" on its error output; redirected with the rest it stands before the JSON. */
const notice = /^(?:\u001b\[[0-9;]*m|\s)*Exporting session/;

export const opencodeNotice: Decoder = {
  id: 'opencode-notice',
  matches: head => notice.test(new TextDecoder().decode(head.subarray(0, 200))),
  decode: bytes => {
    const start = bytes.indexOf('{'.charCodeAt(0));
    return start < 0
      ? Promise.reject(new Error('This export of opencode holds no session.'))
      : Promise.resolve({ kind: 'bytes', bytes: bytes.subarray(start) });
  },
};
