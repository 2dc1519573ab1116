// Collects the messages of all calls of `translate` in src and webview into l10n/bundle.l10n.json, in VS Code's format,
// and removes unused messages from the translated bundles next to it. Fails on calls that cannot be collected, on texts
// shown without `translate`, and on a translation that is missing or has other placeholders; `--missing LANGUAGE`
// prints the messages that a language lacks as JSON. The same applies to package.nls.json. Messages of the command
// line and of its pages' server, which are in English, are checked and not collected. Fails on a word that l10n/glossary.md forbids in the
// language. `--check` writes nothing and also fails if the file is out of date. `--root DIR` sets the project's folder.
import './lib/currentNode.mjs';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { lineAt, literalText, parseFile, walk } from './lib/sourceTree.mjs';

const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    missing: { type: 'string' },
    root: { type: 'string', default: '.' },
  },
});
const messages = new Set();
/** Including those of the command line. */
const allMessages = new Set();
const problems = [];

/** A placeholder of a message, as src/core/base/translate.ts reads it. */
const placeholder = /\{(\d+)(?:, plural,((?: \w+ \{[^{}]*\})+))?\}/g;

function checkMessage(message, valueCount) {
  const used = new Set();
  const rest = message.replace(placeholder, (_, position, forms) => {
    used.add(Number(position));
    return forms === undefined || / other \{/.test(forms) ? '' : '{';
  });
  if (/[{}]/.test(rest)) {
    return 'a brace that belongs to no placeholder, or a plural without "other"';
  }
  const expected = Array.from({ length: valueCount }, (_, position) => position);
  return used.size === valueCount && expected.every(position => used.has(position))
    ? undefined
    : `${valueCount} values for the placeholders ${[...used].sort().join(', ') || 'of a message without any'}`;
}

function collect(call, { path, tell }) {
  const [first, ...rest] = call.arguments;
  const message = literalText(first);
  if (message === undefined || rest.some(({ type }) => type === 'SpreadElement')) {
    tell(call, 'translate takes a literal message and a list of values');
    return;
  }
  const fault = checkMessage(message, rest.length);
  if (fault !== undefined) {
    tell(call, fault);
  }
  allMessages.add(message);
  if (!/^(?:src\/cli|src\/view|webview\/door)\//.test(path)) {
    messages.add(message);
  }
}

const shownAttributes = [
  'title',
  'aria-label',
  'aria-description',
  'aria-valuetext',
  'alt',
  'placeholder',
  'label',
];
const shownCalls = /^(vscode\.window\.\w+|process\.(stdout|stderr)\.write|console\.(log|error))$/;
/** Errors whose message is shown to people. */
const shownErrors = /^(Usage|Agent)Error$/;

/** A function's name with the names of the objects before it: `vscode.window.showInformationMessage`. */
function dottedName(node) {
  if (node.type === 'MemberExpression' && !node.computed) {
    return `${dottedName(node.object)}.${node.property.name}`;
  }
  return node.type === 'Identifier' ? node.name : '';
}

/** True if the text of a literal is shown to people. */
function isShownPlace(node, ancestors) {
  if (node.type === 'JSXText') {
    return true;
  }
  for (const parent of ancestors.toReversed()) {
    switch (parent.type) {
      case 'JSXElement':
      case 'JSXFragment':
        return true;
      case 'JSXAttribute':
        return shownAttributes.includes(parent.name.name);
      case 'NewExpression':
        return shownErrors.test(dottedName(parent.callee));
      case 'CallExpression':
        return shownCalls.test(dottedName(parent.callee));
      case 'BinaryExpression':
        if (['===', '!=='].includes(parent.operator)) {
          return false;
        }
        break;
      default:
        if (/Function|Method/.test(parent.type)) {
          return false;
        }
    }
  }
  return false;
}

/** Two words, or one word that begins a sentence. Ids, units and separators do not match. */
const english = /\p{L}{2,} \p{L}{2,}|^\s*\p{Lu}\p{Ll}+/u;

function literalPart(node) {
  switch (node.type) {
    case 'JSXText':
      return node.value;
    case 'TemplateElement':
      return node.value.cooked;
    default:
      return literalText(node);
  }
}

/** Files with only texts: each English literal in them is shown. */
const wordFile = /^webview\/words\/|[wW]ords\.ts$/;

/** True if a literal is a value. The other literals of such a file are import paths and types. */
function isValue(ancestors) {
  return !/^(Import|Export(Named|All))Declaration$|^TSLiteralType$/.test(ancestors.at(-1).type);
}

function collectFrom(file) {
  const collected = new Set();
  walk(file.program, (node, ancestors) => {
    if (node.type === 'CallExpression' && node.callee.name === 'translate') {
      collect(node, file);
      collected.add(node.arguments[0]);
    }
    if (collected.has(node)) {
      return false;
    }
    if (
      english.test(literalPart(node) ?? '') &&
      (isShownPlace(node, ancestors) || (wordFile.test(file.path) && isValue(ancestors)))
    ) {
      file.tell(node, 'words outside of translate');
    }
    return true;
  });
}

for (const folder of ['src', 'webview']) {
  const names = readdirSync(join(values.root, folder), { recursive: true }).filter(name =>
    /\.tsx?$/.test(name),
  );
  for (const path of names.sort().map(name => join(folder, name).replaceAll('\\', '/'))) {
    const text = readFileSync(join(values.root, path), 'utf8');
    const tell = (node, problem) => problems.push(`${path}:${lineAt(text, node.start)}: ${problem}`);
    collectFrom({ path, tell, program: parseFile(path, text).program });
  }
}

/** To add a language, create a file `l10n/bundle.l10n.LANGUAGE.json` that contains `{}`. */
const bundleName = /^bundle\.l10n\.([\w-]+)\.json$/;
const languages = () =>
  readdirSync(join(values.root, 'l10n')).flatMap(name => bundleName.exec(name)?.[1] ?? []);
const read = path => JSON.parse(readFileSync(join(values.root, path), 'utf8'));

/** Writes a file derived from others. With `--check`, a file that differs is a problem. */
function derive(path, content) {
  const text = `${JSON.stringify(content, null, 2)}\n`;
  const file = join(values.root, path);
  const isCurrent = existsSync(file) && readFileSync(file, 'utf8') === text;
  if (!isCurrent && values.check) {
    problems.push(`${path} is out of date: npm run l10n`);
  } else if (!isCurrent) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** The placeholders of a message, in order of position; those with plural forms are marked. */
const placeholders = text =>
  [...text.matchAll(placeholder)]
    .map(([, position, forms]) => `${position}${forms ? ' plural' : ''}`)
    .sort()
    .join();

/** True if the language has each plural form of a message. */
const hasPluralsOf = (text, categories) =>
  [...text.matchAll(placeholder)].every(([, , forms = '']) =>
    [...forms.matchAll(/ (\w+) \{/g)].every(([, category]) => categories.includes(category)),
  );

/**
 * Checks `base.LANGUAGE.json` against the English texts: the same keys in the same order, and the same placeholders.
 */
function deriveTranslations(base, english) {
  for (const language of languages()) {
    const path = `${base}.${language}.json`;
    const translations = existsSync(join(values.root, path)) ? read(path) : {};
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    const keys = Object.keys(english);
    const missing = keys.filter(key => translations[key] === undefined);
    const known = keys.filter(key => translations[key] !== undefined);
    derive(path, Object.fromEntries(known.map(key => [key, translations[key]])));
    if (missing.length > 0) {
      problems.push(`${path}: ${missing.length} texts are missing: npm run l10n -- --missing ${language}`);
    }
    for (const key of known) {
      if (
        placeholders(english[key]) !== placeholders(translations[key]) ||
        !hasPluralsOf(translations[key], pluralCategories)
      ) {
        problems.push(`${path}: other placeholders or plural forms than the language has: ${key}`);
      }
    }
    if (values.missing === language) {
      console.log(JSON.stringify(Object.fromEntries(missing.map(key => [key, english[key]])), null, 2));
    }
  }
}

/** The phrases in backticks of a table's cell. */
const phrases = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, phrase]) => phrase);

/**
 * The forbidden phrases of each language with the phrases in which they are allowed, from the tables of
 * l10n/glossary.md.
 */
function glossary() {
  const path = join(values.root, 'l10n/glossary.md');
  const [, ...sections] = existsSync(path)
    ? readFileSync(path, 'utf8').split(/^## .*\((?=[\w-]+\)$)/m)
    : [''];
  return sections.map(section => ({
    language: section.slice(0, section.indexOf(')')),
    rows: section.split('\n').flatMap(line => {
      const [, , term, never, except] = line.split('|');
      return phrases(never).map(phrase => ({ phrase, term: term.trim(), except: phrases(except) }));
    }),
  }));
}

const codeSpan = /`[^`]*`/g;

function checkGlossary() {
  for (const { language, rows } of glossary()) {
    const isEnglish = language === 'en';
    const suffix = isEnglish ? '' : `.${language}`;
    const texts = [
      ...(isEnglish ? allMessages : Object.values(read(`l10n/bundle.l10n${suffix}.json`))),
      ...Object.values(read(`package.nls${suffix}.json`)),
    ];
    for (const text of texts) {
      for (const { phrase, term, except } of rows) {
        const words = except.reduce(
          (rest, allowed) => rest.replaceAll(allowed, ''),
          text.replace(codeSpan, ''),
        );
        if (words.includes(phrase)) {
          problems.push(`${language}: "${phrase}" is forbidden (${term}): ${text}`);
        }
      }
    }
  }
}

const bundle = Object.fromEntries([...messages].sort().map(text => [text, text]));
derive('l10n/bundle.l10n.json', bundle);
deriveTranslations('l10n/bundle.l10n', bundle);
deriveTranslations('package.nls', read('package.nls.json'));
checkGlossary();
for (const problem of problems) {
  console.error(problem);
}
process.exitCode = problems.length === 0 ? 0 : 1;
