import type { Decoder } from '../format';
import { aiderHistory } from './aiderHistory';
import { eventStream } from './eventStream';
import { opencodeNotice } from './opencodeNotice';
import { sqlite } from './sqlite';
import { zip } from './zip';
import { zstd } from './zstd';
import { vscodeChatLog } from './vscodeChatLog';

/** Every way in which a file can be something else than JSON, in the order in which they are tried. */
export const decoders: readonly Decoder[] = [
  opencodeNotice,
  aiderHistory,
  sqlite,
  zip,
  zstd,
  vscodeChatLog,
  eventStream,
];
