import type { Decoder } from '../reading/format';
import { aiderHistory } from './aiderHistory';
import { eventStream } from '../reading/decoders/eventStream';
import { opencodeNotice } from './opencode/opencodeNotice';
import { sqlite } from './sqlite';
import { inspectArchive } from './inspect/inspectDecoder';
import { zstd } from '../reading/decoders/zstd';
import { vscodeChatLog } from './copilot/vscodeChatLog';

/** Every way in which a file can be something else than JSON, in the order in which they are tried. */
export const decoders: readonly Decoder[] = [
  opencodeNotice,
  aiderHistory,
  sqlite,
  inspectArchive,
  zstd,
  vscodeChatLog,
  eventStream,
];
