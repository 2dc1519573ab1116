/** How people ask for a tool in the chat. */
interface ChatForm {
  /** The slash command. */
  readonly command: string;
  /** Words of questions for it. A question belongs to the first tool whose words it has. */
  readonly words: RegExp;
  /** The parameters in the text of a question; undefined if it lacks one that the tool needs. */
  readonly paramsOf: (text: string) => Readonly<Record<string, unknown>> | undefined;
}

/** A tool to ask. */
export interface ToolChoice {
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const session = /\bsession:?\s+([\w-]*\d[\w-]*)/i;
const request = /\brequest:?\s+#?(\d{1,7})\b/i;
/** A path: a name with an extension, maybe with folders before it and lines after it. */
const file =
  /(?:^|[\s"'`(])((?:[\w.@~+-]|[\\/]|:(?=[\\/]))*[\w@+-]\.\w{1,10})(?::(\d+(?:-\d+)?))?(?=$|[\s"'`),?!.])/;
const lines = /\blines?\s+(\d+(?:\s*[-–]\s*\d+)?)/i;
const beginsSearch = /^\s*(?:please\s+)?(?:find|search)(?:\s+for)?\s+/i;
const endsSearch = /\s+(?:in|across|through)\s+(?:all\s+|my\s+)*sessions\W*$/i;

const sessionOf = (text: string): Readonly<Record<string, unknown>> => {
  const named = session.exec(text)?.[1];
  return named === undefined ? {} : { session: named };
};

function requestOf(text: string): Readonly<Record<string, unknown>> {
  const number = request.exec(text)?.[1];
  return { ...sessionOf(text), ...(number === undefined ? {} : { request: Number(number) }) };
}

function fileOf(text: string): Readonly<Record<string, unknown>> | undefined {
  const [, path, after] = file.exec(text) ?? [];
  const range = after ?? lines.exec(text)?.[1];
  return path === undefined
    ? undefined
    : { ...sessionOf(text), file: path, ...(range === undefined ? {} : { lines: range }) };
}

function wordsOf(text: string): Readonly<Record<string, unknown>> | undefined {
  const words = text.replace(beginsSearch, '').replace(endsSearch, '').trim();
  return words === '' ? undefined : { words };
}

/** All tools, by their names in src/core/contextTools; the one with the most special words comes first. */
export const chatForms: Readonly<Record<string, ChatForm>> = {
  find_in_sessions: { command: 'find', words: beginsSearch, paramsOf: wordsOf },
  what_was_dropped: {
    command: 'dropped',
    words: /\b(?:drop\w*|compact(?:ion|ed)\w*|clear(?:ed|ing)|forg[eo]t\w*|removed)\b/i,
    paramsOf: sessionOf,
  },
  was_seen: {
    command: 'seen',
    words: /\b(?:seen?|saw|read|knows?|known)\b.*\.\w|\.\w.*\b(?:seen?|saw|read|known)\b/i,
    paramsOf: fileOf,
  },
  forecast: {
    command: 'forecast',
    words: /\b(?:next request|forecast|will\b.*\bcost|would\b.*\bcost|switch\w*|another model)\b/i,
    paramsOf: sessionOf,
  },
  why_cache_lost: {
    command: 'cache',
    words:
      /\bcach\w*\b.*\b(?:why|los[ts]\w*|br[eo]ak\w*|broken?|miss\w*)\b|\b(?:why|los[ts]\w*|br[eo]ak\w*|broken?|miss\w*)\b.*\bcach/i,
    paramsOf: requestOf,
  },
  what_fills_context: {
    command: 'fills',
    words: /\b(?:fill\w*|biggest|largest|takes?\b.*\b(?:space|room|tokens)|breakdown|what(?:'s| is)? in)\b/i,
    paramsOf: text => ({
      ...requestOf(text),
      ...(/\b(?:money|dollars?)\b|\$/i.test(text) ? { by: 'money' } : {}),
    }),
  },
  worth_a_look: {
    command: 'findings',
    words: /\b(?:worth|improve\w*|wast\w*|wrong|problems?|findings?|expensive|save|secrets?)\b/i,
    paramsOf: sessionOf,
  },
  context_status: {
    command: 'status',
    words: /\b(?:status|full|room|left|cold|warm|context|tokens?|costs?|cach\w*)\b/i,
    paramsOf: sessionOf,
  },
};

/** Characters of a question that are looked at. What is pasted after them would keep the extension host busy. */
const longestQuestion = 4_000;

/** The tool of a slash command; undefined if there is none, or if the text lacks a parameter. */
export function chosenByCommand(command: string, text: string): ToolChoice | undefined {
  const found = Object.entries(chatForms).find(([, form]) => form.command === command);
  if (found === undefined) {
    return undefined;
  }
  const [name, { paramsOf }] = found;
  const params = paramsOf(text.slice(0, longestQuestion));
  return params === undefined ? undefined : { name, params };
}

/** The tool that the words of an English question mean; undefined if they mean none. */
export function chosenByWords(question: string): ToolChoice | undefined {
  const text = question.slice(0, longestQuestion);
  for (const [name, { words, paramsOf }] of Object.entries(chatForms)) {
    const params = words.test(text) ? paramsOf(text) : undefined;
    if (params !== undefined) {
      return { name, params };
    }
  }
  return undefined;
}
