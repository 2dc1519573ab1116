import { claudeCode } from './claudeCode/claudeCode';
import { codex } from './codex/codex';
import { transcriptReader } from './transcriptReader';

/** Reads transcripts of the agents that call hooks. A hook has no time to load the other formats. */
export const hookTranscript = transcriptReader({ decoders: [], documents: [], lines: [codex, claudeCode] });
