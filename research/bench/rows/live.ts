import type { Bench } from '../context';

const windowTokens = 200_000;
/** The fill of the window after each append, in per cent. Each differs from the previous one. */
const percents = [11, 22, 33, 44, 55];
const mostMilliseconds = 2000;

/** The entry in the status bar on a large session that grows, in VS Code. */
export const live: Bench = {
  name: 'live',
  measure: async context => {
    const file = context.claudeCode(context.takesBigFiles ? 500 : context.scaled(100));
    const appends = percents.map((percent, number) => ({ percent, text: replyLine(number, percent) }));
    const { first, times, blocked, megabytes } = await context.tools.liveAppends(file.path, appends);
    const work = `a reply appended to ${Math.round(file.megabytes)} MB in VS Code, until the status bar is right`;
    return [
      {
        work,
        against: 'the time that it may take',
        unit: 'ms',
        ours: times,
        theirs: times.map(() => mostMilliseconds),
        target: { kind: 'share', most: 1 },
        note: `Shown first after ${Math.round(first)} ms; the extension host's memory grew by ${Math.round(megabytes)} MB, and it was busy for ${Math.round(blocked)} ms at most`,
      },
    ];
  },
};

/** A reply as Claude Code records it, with usage that fills the window so far. */
function replyLine(number: number, percent: number): string {
  const usage = {
    input_tokens: 2,
    cache_creation_input_tokens: 998,
    cache_read_input_tokens: (percent * windowTokens) / 100 - 1000,
    output_tokens: 12,
  };
  const message = {
    id: `msg_live_${number}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5-20250929',
    content: [{ type: 'text', text: `Step ${number}` }],
    stop_reason: null,
    usage,
  };
  const line = {
    parentUuid: null,
    isSidechain: false,
    type: 'assistant',
    requestId: `req_live_${number}`,
    message,
    uuid: `00000000-0000-4000-8000-00000000000${number}`,
    timestamp: new Date().toISOString(),
  };
  return `${JSON.stringify(line)}\n`;
}
