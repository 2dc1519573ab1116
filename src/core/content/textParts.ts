import type { TextPart, TextPartKind } from '../model/transcript';

/** The marks of parts of one kind in the texts of a client. */
interface PartForm {
  readonly kind: TextPartKind;
  /** Words that begin the list of parts. Needed if the parts look like items of any other list. */
  readonly list?: RegExp;
  /** The beginning of a part; its first group is the name. A part ends where the next one begins. */
  readonly opens: RegExp;
  /** Ends a part before the next one begins. With `after`, the match belongs to the part. */
  readonly closes?: RegExp;
  readonly after?: true;
  /** Derives the part's name if it differs from the match of `opens`. */
  readonly nameOf?: (found: string) => string;
}

/** A name of a skill or an agent, preceded by the name of its plugin. */
const listed = /^- \*{0,2}([\w./@:-]{1,200}?)\*{0,2}: /gm;

/** The forms of Claude Code, opencode, Gemini CLI and Qwen Code, Codex, Copilot CLI, and Grok, as their requests have them. */
const forms: readonly PartForm[] = [
  {
    kind: 'memory',
    opens: /^Contents of (\S[^\n]{0,600}):$/gm,
    // A description of the file follows its path in brackets.
    nameOf: words => (words.endsWith(')') ? words.slice(0, words.lastIndexOf(' (')) : words),
    closes:
      /<\/system-reminder>|^ *IMPORTANT: this context may or may not|^# (?:currentDate|userEmail|gitStatus)$/gm,
  },
  {
    kind: 'memory',
    opens: /^Instructions from: (\S[^\n]{0,400})$/gm,
    closes: /^Skills provide specialized instructions/gm,
  },
  {
    kind: 'memory',
    opens: /^--- Context from: (\S[^\n]{0,400}?) ---$/gm,
    closes: /^--- End of Context from: [^\n]* ---$/gm,
    after: true,
  },
  {
    kind: 'memory',
    opens: /^# AGENTS\.md instructions for ([^\n]{1,400})$/gm,
    closes: /<\/INSTRUCTIONS>/g,
    after: true,
    nameOf: folder => `${folder.replace(/[\\/]$/, '')}/AGENTS.md`,
  },
  { kind: 'memory', opens: /<(custom_instruction)>/g, closes: /<\/custom_instruction>/g, after: true },
  { kind: 'memory', opens: /<(user_rules)\b[^>\n]{0,150}>/g, closes: /<\/user_rules>/g, after: true },
  {
    kind: 'skill',
    opens: /<skill>\s{0,20}<name>\s{0,20}([^<\n]{1,200}?)\s{0,20}<\/name>/g,
    closes: /<\/skill>/g,
    after: true,
  },
  {
    kind: 'skill',
    opens: /^Base directory for this skill: (\S[^\n]{0,400})$/gm,
    nameOf: folder => folder.split(/[\\/]/).findLast(name => name !== '') ?? folder,
  },
  {
    kind: 'skill',
    list: /skills are available|^### Available skills$/m,
    opens: listed,
    closes: /^(?:<\/|#)/gm,
  },
  { kind: 'agent', list: /Available agent types/, opens: listed, closes: /^(?:<\/|#)|\n\n/gm },
];

/** The possible beginnings of all parts. */
const marks =
  /Contents of |Instructions from: |--- Context from: |AGENTS\.md instructions for |<custom_instruction>|<user_rules|<skill>|Base directory for this skill: |skills are available|### Available skills|Available agent types/;

/** A text that names more parts than this is not a client's. */
const mostParts = 1_000;

/** The files, skills and agents that a client's text is made of, in order; they do not overlap. One pass for each form. */
export function textParts(text: string): readonly Omit<TextPart, 'block'>[] {
  if (!marks.test(text)) {
    return [];
  }
  const found = forms.flatMap(form => partsOfForm(text, form)).sort((one, other) => one.start - other.start);
  let end = 0;
  const parts = found.filter(part => {
    const isApart = part.start >= end;
    end = isApart ? part.end : end;
    return isApart;
  });
  return parts.length > mostParts ? [] : parts;
}

function partsOfForm(
  text: string,
  { kind, list, opens, closes, after, nameOf }: PartForm,
): Omit<TextPart, 'block'>[] {
  const first = list === undefined ? 0 : text.search(list);
  if (first < 0) {
    return [];
  }
  const beginnings: RegExpExecArray[] = [];
  opens.lastIndex = first;
  for (
    let found = opens.exec(text);
    found !== null && beginnings.length <= mostParts;
    found = opens.exec(text)
  ) {
    beginnings.push(found);
  }
  let listEnd = text.length;
  return beginnings.flatMap(({ 0: words, 1: name = '', index: start }, place) => {
    if (start >= listEnd) {
      return [];
    }
    let end = beginnings[place + 1]?.index ?? text.length;
    if (closes !== undefined) {
      closes.lastIndex = words.length;
      const close = closes.exec(text.slice(start, end));
      if (close !== null) {
        end = start + close.index + (after === true ? close[0].length : 0);
        listEnd = list === undefined ? listEnd : end;
      }
    }
    return [{ kind, name: nameOf?.(name) ?? name, start, end }];
  });
}
