/** Letter pairs that are frequent in English, in names and in code. */
const pairs = (
  'th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ' +
  'ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un ' +
  'lo wa ge ie wh ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl ig tu ev ' +
  'ld ry mp fe bl ab gh ty op wo sa ay ex ke fr oo av ag if ap gr od bo sp rd do uc bu ei ok ey ck sw wd ub ob'
).split(' ');
/**
 * Minimum share of frequent pairs among all character pairs of words: about 0.7 in words and names, 0.1 in generated
 * keys.
 */
const shareInWords = 0.42;

const letters = 26;
const firstLetter = 97;
/** 1 for each frequent pair, by the numbers of its two letters. */
const isFrequent = new Uint8Array(letters * letters);
for (const pair of pairs) {
  isFrequent[(pair.charCodeAt(0) - firstLetter) * letters + pair.charCodeAt(1) - firstLetter] = 1;
}

/** The number of a letter, ignoring case; `letters` or more for any other character. */
function letterOf(code: number): number {
  const letter = (code | 32) - firstLetter;
  return letter >= 0 && code < 128 ? letter : letters;
}

/** True if a text reads like words: names in code and sentences do, generated credentials do not. */
export function looksLikeWords(text: string): boolean {
  let known = 0;
  let before = letters;
  for (let index = 0; index < text.length; index += 1) {
    const letter = letterOf(text.charCodeAt(index));
    known += before < letters && letter < letters ? (isFrequent[before * letters + letter] ?? 0) : 0;
    before = letter;
  }
  return known >= shareInWords * (text.length - 1);
}
