import type { Random } from './random';

/** The kinds of text in tool output and model replies. */
export type TextKind =
  | 'numberedCode'
  | 'code'
  | 'grep'
  | 'json'
  | 'markdown'
  | 'log'
  | 'diff'
  | 'prose'
  | 'nonLatin'
  | 'listing'
  | 'html'
  | 'minified'
  | 'base64'
  | 'emoji';

/** Shares in percent of the bytes of a transcript's texts, rounded from measured ones. */
const shares: readonly (readonly [TextKind, number])[] = [
  ['numberedCode', 21],
  ['code', 14],
  ['grep', 8],
  ['json', 7.5],
  ['markdown', 7.5],
  ['log', 7],
  ['diff', 6.5],
  ['prose', 9],
  ['nonLatin', 6],
  ['listing', 5],
  ['html', 4],
  ['minified', 2.5],
  ['base64', 1.5],
  ['emoji', 0.5],
];
const wholeShare = shares.reduce((sum, [, share]) => sum + share, 0);

const commonWords =
  `the of and to a in is that for it as was with be by on not he this are or his from at which but have an had they you were their one all we can her has there been if more when will would who so no
  return const import value name type string number data file path error result index list key map node item state test user request response message context token block session config options length count
  function class export default async await new this null undefined true false throw catch finally switch case break continue while read write open close parse format render update create delete find filter
  server client handler router service store cache buffer stream event listener timer queue worker thread process module package version build release branch commit merge change check run start stop wait load save
  should could because before after between without within through under over again further once here where why how both each few other some such only own same than too very just about into during above below`
    .split(/\s+/)
    .filter(word => word !== '');
const syllables =
  `an ar at be ca ce co de di do el en er fa fi ga ge hi in is ka la le li lo ma me mi mo na ne no ol on or pa pe pi po ra re ri ro sa se si so st ta te ti to tra tro un ur va ve vi za zo`.split(
    ' ',
  );
const wordCount = 40_000;

const scripts: readonly [string, ...string[]] = [
  '会话上下文模型工具调用结果请求缓存文件读取内容分析显示错误测试时间数据更新检查运行函数返回类型参数对象数组字符处理用户系统配置',
  'сессияконтекстмодельинструментрезультатзапроскэшфайлчтениеанализошибкавремяданныеобновлениепроверка',
  'セッションコンテキストモデルツール結果要求ファイル読み取り内容分析表示エラー試験時間更新確認実行関数',
  '세션문맥모델도구호출결과요청캐시파일읽기내용분석표시오류시험시간자료갱신확인실행함수반환',
  'सत्रसंदर्भप्रतिरूपउपकरणपरिणामअनुरोधफ़ाइलपढ़नासामग्रीविश्लेषणत्रुटिसमय',
  'جلسةسياقنموذجأداةنتيجةطلبملفقراءةمحتوىتحليلخطأوقتبياناتتحديث',
];
const emoji: readonly [string, ...string[]] = ['✅', '❌', '🚀', '⚠️', '🧪', '👩‍💻', '📦', '🔧', '🇪🇺', '1️⃣'];
const extensions: readonly [string, ...string[]] = ['ts', 'tsx', 'py', 'rs', 'go', 'md', 'json', 'java'];
const levels: readonly [string, ...string[]] = ['INFO', 'DEBUG', 'WARN', 'ERROR', 'TRACE'];
const types: readonly [string, ...string[]] = [
  'string',
  'number',
  'boolean',
  'readonly string[]',
  'Map<string, number>',
];
const tags: readonly [string, ...string[]] = ['div', 'span', 'section', 'li', 'td', 'button'];
const base64Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Texts invented from a seed: words by Zipf's law in the shapes of source code, logs, listings and prose. */
export class Texts {
  private readonly words: readonly string[];
  private readonly makers: Readonly<Record<TextKind, (line: number) => string>>;

  constructor(private readonly random: Random) {
    const words = [...commonWords];
    while (words.length < wordCount) {
      let word = '';
      for (let count = random.between(2, 4); count > 0; count -= 1) {
        word += syllables[random.below(syllables.length)] ?? '';
      }
      words.push(word);
    }
    this.words = words;
    this.makers = {
      numberedCode: line => `${String(line + 1).padStart(6)}→${this.codeLine()}`,
      code: () => this.codeLine(),
      grep: () => `${this.path()}:${random.between(1, 2000)}:${this.codeLine()}`,
      json: () => `  "${this.word()}": ${this.jsonValue()},`,
      markdown: line => this.markdownLine(line),
      log: () =>
        `2026-03-${String(random.between(1, 28)).padStart(2, '0')}T${this.clock()}.${random.between(100, 999)}Z \u001b[3${random.below(8)}m${random.pick(levels)}\u001b[0m [${this.word()}-${random.below(16)}] ${this.sentence(4, 10)} id=${random.hex(8)} took=${random.below(900)}ms`,
      diff: line =>
        line % 24 === 0
          ? `@@ -${line},7 +${line},9 @@ ${this.identifier()}`
          : `${random.pick([' ', ' ', ' ', '+', '-'])}${this.codeLine()}`,
      prose: () => this.sentence(8, 26),
      nonLatin: () => this.foreignLine(),
      listing: () =>
        `-rw-r--r--  1 dev dev ${String(random.below(999_999)).padStart(8)} Mar ${random.between(1, 28)} ${this.clock().slice(0, 5)} ${this.path()}`,
      html: () => {
        const tag = random.pick(tags);
        return `${' '.repeat(2 * random.between(0, 9))}<${tag} class="${this.word()} ${this.word()}-${random.below(12)}" data-id="${random.below(9999)}">${this.sentence(1, 5)}</${tag}>`;
      },
      minified: () => this.minifiedPart(),
      base64: () => this.base64(76),
      emoji: () => `${random.pick(emoji)} ${this.sentence(2, 6)} ${random.pick(emoji)}`,
    };
  }

  /** The kind of a text, drawn according to the shares. */
  kind(): TextKind {
    let left = this.random.next() * wholeShare;
    for (const [kind, share] of shares) {
      left -= share;
      if (left < 0) {
        return kind;
      }
    }
    return 'code';
  }

  /** A text of exactly this many UTF-16 units (one less if a surrogate pair would be cut). */
  text(kind: TextKind, characters: number): string {
    const make = this.makers[kind];
    const joint = kind === 'minified' || kind === 'base64' ? '' : '\n';
    let text = kind === 'json' && characters > 40 ? '{\n' : '';
    for (let line = 0; text.length < characters; line += 1) {
      text += make(line) + joint;
    }
    return text.slice(0, characters).replace(/[\uD800-\uDBFF]$/, '');
  }

  mixed(characters: number): string {
    return this.text(this.kind(), characters);
  }

  word(): string {
    return this.words[this.random.rank(wordCount)] ?? 'word';
  }

  path(): string {
    return `src/${this.word()}/${this.word()}/${this.identifier()}.${this.random.pick(extensions)}`;
  }

  sentence(least: number, most: number): string {
    const first = this.word();
    let text = first.slice(0, 1).toUpperCase() + first.slice(1);
    for (let count = this.random.between(least, most) - 1; count > 0; count -= 1) {
      text += (this.random.chance(0.07) ? ', ' : ' ') + this.word();
    }
    return `${text}.`;
  }

  base64(characters: number): string {
    let text = '';
    while (text.length < characters) {
      text += base64Letters[this.random.below(64)] ?? 'A';
    }
    return text;
  }

  private identifier(): string {
    const second = this.word();
    return this.random.chance(0.3)
      ? `${this.word()}_${second}`
      : this.word() + second.slice(0, 1).toUpperCase() + second.slice(1);
  }

  private clock(): string {
    const two = (end: number): string => String(this.random.below(end)).padStart(2, '0');
    return `${two(24)}:${two(60)}:${two(60)}`;
  }

  private codeLine(): string {
    const { random } = this;
    const indent = '  '.repeat(random.below(5));
    switch (random.below(9)) {
      case 0:
        return '';
      case 1:
        return `${indent}const ${this.identifier()} = ${this.word()}.${this.identifier()}(${this.word()}, ${random.below(1000)});`;
      case 2:
        return `${indent}if (${this.word()}.${this.word()} !== ${this.word()}) {`;
      case 3:
        return `${indent}}`;
      case 4:
        return `${indent}// ${this.sentence(4, 12)}`;
      case 5:
        return `${indent}return ${this.identifier()}(${this.word()} => ${this.word()}.${this.word()});`;
      case 6:
        return `${indent}${this.identifier()}: ${random.pick(types)};`;
      case 7:
        return `import { ${this.identifier()}, ${this.identifier()} } from './${this.word()}/${this.word()}';`;
      default:
        return `${indent}${this.word()}.${this.identifier()}('${this.word()} ${this.word()}', { ${this.word()}: ${this.word()}[${random.below(64)}] });`;
    }
  }

  private jsonValue(): string {
    switch (this.random.below(4)) {
      case 0:
        return String(this.random.below(100_000));
      case 1:
        return `"${this.random.uuid()}"`;
      case 2:
        return `{ "${this.word()}": ${this.random.chance(0.5)}, "${this.word()}": null }`;
      default:
        return `"${this.sentence(2, 9)}"`;
    }
  }

  private markdownLine(line: number): string {
    if (line % 12 === 0) {
      return `## ${this.sentence(2, 6)}\n`;
    }
    return this.random.chance(0.3)
      ? `- **${this.word()}**: ${this.sentence(5, 14)}`
      : `${this.sentence(8, 24)} See \`${this.identifier()}()\`.`;
  }

  private foreignLine(): string {
    const letters = Array.from(this.random.pick(scripts));
    let text = '';
    for (let count = this.random.between(10, 60); count > 0; count -= 1) {
      text += letters[this.random.below(letters.length)] ?? '';
      if (this.random.chance(0.15)) {
        text += ' ';
      }
    }
    return text;
  }

  private minifiedPart(): string {
    const letter = String.fromCharCode(97 + this.random.below(26));
    return `function ${letter}(e,t){var n=e.${this.word()};return ${letter}${this.random.below(99)}(n[${this.random.below(20)}],t)||${this.random.below(2)}}var ${letter}=${this.random.below(999)};`;
  }
}
