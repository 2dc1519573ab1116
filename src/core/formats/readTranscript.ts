import { formats } from './registry';
import { transcriptReader } from './transcriptReader';

/** Reads transcripts of any format that the program knows. */
export const anyTranscript = transcriptReader(formats);
export const { read: readTranscript } = anyTranscript;
