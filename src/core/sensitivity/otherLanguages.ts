import { type AnchoredDetector, matchAt, valueRange } from './anchored';
import { isCredentialValue } from './credentialValue';
import { labelled } from './ruleWords';

const quote = '(?:\\\\{0,64}["\'`「“])?';

/** The word for a password, the possible text between it and the value, and a value of ASCII characters. */
const named = new RegExp(
  `(?:密码|密碼|口令|パスワード|暗証番号|비밀번호|парол[ья]|hasło|şifre)[^\\n!-~：]{0,8}(?:[ \\t]{0,4}[:：=][ \\t]{0,4}|[ \\t]{0,2}(?:は|是|为|為|改成了?|改为|改為|设为|設為|는|은|—)[ \\t]{0,2})${quote}(?<value>[!-&(-+\\--[\\]-_a-~]{8,128})`,
  'iudy',
);

/** The two letters of a text in all combinations of cases. */
function inAnyCase(letters: string): readonly string[] {
  const [first = '', second = ''] = letters;
  return [first, first.toUpperCase()].flatMap(one => [one + second, one + second.toUpperCase()]);
}

/** A password after its name in a language with words beyond ASCII. */
export const passwordInOtherLanguages: AnchoredDetector = {
  ...labelled('credentialAssignment', 'restricted'),
  literals: [
    '密码',
    '密碼',
    '口令',
    'パスワード',
    '暗証番号',
    '비밀번호',
    ...inAnyCase('па'),
    ...inAnyCase('sł'),
    ...inAnyCase('şi'),
  ],
  // If case were ignored, many other characters would be mistaken for these.
  checks: { isExact: true },
  find: (text, at) => {
    const range = valueRange(matchAt(named, text, /s/i.test(text.charAt(at)) ? Math.max(0, at - 2) : at));
    return range !== undefined && isCredentialValue(text.slice(range.start, range.end), true, true)
      ? range
      : undefined;
  },
};
