/** Pairs of letters that are frequent in English, in names and in code. */
const pairs = new Set(
  (
    'th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ' +
    'ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un ' +
    'lo wa ge ie wh ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl ig tu ev ' +
    'ld ry mp fe bl ab gh ty op wo sa ay ex ke fr oo av ag if ap gr od bo sp rd do uc bu ei ok ey ck sw wd ub ob'
  ).split(' '),
);
/** The share of such pairs among all pairs of characters: about 0.7 in words and names, 0.1 in generated keys. */
const shareInWords = 0.42;

/** Whether a text reads like words, as names in code and sentences do and generated credentials do not. */
export function looksLikeWords(text: string): boolean {
  const lower = text.toLowerCase();
  let known = 0;
  for (let index = 1; index < lower.length; index += 1) {
    known += pairs.has(lower.slice(index - 1, index + 1)) ? 1 : 0;
  }
  return known >= shareInWords * (lower.length - 1);
}
