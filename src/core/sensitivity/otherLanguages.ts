import { translate } from '../base/translate';
import { isCredentialValue } from './credentialValue';
import { patternDetector } from './detector';

const quote = '(?:\\\\{0,16}["\'`「“])?';

/** The word for a password, what may stand between it and the value, and a value of ASCII characters. */
const named = new RegExp(
  `(?:密码|密碼|口令|パスワード|暗証番号|비밀번호|парол[ья]|hasło|şifre)[^\\n!-~：]{0,8}(?:[ \\t]{0,4}[:：=][ \\t]{0,4}|[ \\t]{0,2}(?:は|是|为|為|는|은|—)[ \\t]{0,2})${quote}(?<value>[!-&(-+\\--[\\]-_a-~]{8,128})`,
  'giud',
);

/** A password behind its name in a language whose words are no ASCII. */
export const passwordInOtherLanguages = patternDetector(
  {
    rule: 'credentialAssignment',
    label: 'restricted',
    message: translate('found a value assigned to the name of a credential'),
  },
  named,
  value => isCredentialValue(value, true, true),
);
