// Counts tokens (o200k_base) with our counter or another. Arguments: what to measure, our tokenizer's bundle, the
// other's name and the folder where it is installed, a file of texts.
// mix: both count the same texts, which neither has seen, block by block in turn; megabytes per second of both.
// start: milliseconds from nothing loaded to the first count; of ours if the other's name is "ours".
// runs: milliseconds of ours for a megabyte of each unbroken run, and of the other for ten kilobytes of spaces.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';

const [what, bundle, name, folder, texts] = process.argv.slice(2);
const require = createRequire(join(folder, 'package.json'));
const load = (...path) => import(pathToFileURL(join(folder, 'node_modules', ...path)).href);

async function hypertok(options) {
  const { fromBytes } = await load('hypertok', 'src', 'index.mjs');
  const vocabulary = readFileSync(join(folder, 'node_modules', '@hypertok', 'vocab-o200k', 'vocab.htk'));
  const tokenizer = await fromBytes(vocabulary, { tier: 'single' });
  return text => tokenizer.encodeSync(text, options).length;
}

/** Each in the mode that treats special tokens as ordinary text, if it has one. */
const counters = {
  ours: async () => {
    const { loadTokenizer } = createRequire(import.meta.url)(bundle);
    const tokenizer = await loadTokenizer('o200k_base');
    return text => tokenizer.count(text);
  },
  'js-tiktoken': async () => {
    const { Tiktoken } = require('js-tiktoken/lite');
    const tokenizer = new Tiktoken(require('js-tiktoken/ranks/o200k_base'));
    return text => tokenizer.encode(text, [], []).length;
  },
  'gpt-tokenizer': async () => {
    const { countTokens } = require('gpt-tokenizer/encoding/o200k_base');
    const options = { disallowedSpecial: new Set() };
    return text => countTokens(text, options);
  },
  'ai-tokenizer': async () => {
    const { Tokenizer } = require('ai-tokenizer');
    const tokenizer = new Tokenizer(require('ai-tokenizer/encoding/o200k_base'));
    return text => tokenizer.count(text);
  },
  hypertok: () => hypertok({ reserved: { match: [] } }),
  'hypertok by default': () => hypertok(),
};

function timed(work) {
  const start = performance.now();
  const result = work();
  return { milliseconds: performance.now() - start, result };
}

async function mix() {
  const { warm, blocks } = JSON.parse(readFileSync(texts, 'utf8'));
  const both = [await counters.ours(), await counters[name]()];
  for (const count of both) {
    warm.forEach(text => count(text));
  }
  const times = [0, 0];
  let bytes = 0;
  let different = 0;
  blocks.forEach((text, index) => {
    bytes += Buffer.byteLength(text);
    const counts = [0, 0];
    for (const side of index % 2 === 0 ? [0, 1] : [1, 0]) {
      const { milliseconds, result } = timed(() => both[side](text));
      times[side] += milliseconds;
      counts[side] = result;
    }
    different += counts[0] === counts[1] ? 0 : 1;
  });
  const [ours, theirs] = times.map(time => bytes / 1000 / time);
  return { ours, theirs, different };
}

async function start() {
  const before = performance.now();
  const count = await counters[name]();
  count('The build failed in 3.2s: see logs/out.txt, line 1204.');
  return { milliseconds: performance.now() - before };
}

async function runs() {
  const count = await counters.ours();
  const other = await counters[name]();
  const random = letters => {
    let state = 1;
    return Array.from({ length: Math.ceil(2 ** 20 / Buffer.byteLength(letters[0])) }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return letters[(state >>> 8) % letters.length];
    }).join('');
  };
  const characters = (first, length) =>
    Array.from({ length }, (_, index) => String.fromCodePoint(first + index));
  const kinds = {
    spaces: ' '.repeat(2 ** 20),
    'one letter': 'a'.repeat(2 ** 20),
    digits: random(characters(0x30, 10)),
    newlines: '\n'.repeat(2 ** 20),
    _: '_'.repeat(2 ** 20),
    'random letters': random(characters(0x61, 26)),
    CJK: random(characters(0x4e00, 5000)),
    base64: random([...characters(0x41, 26), ...characters(0x61, 26), ...characters(0x30, 10), '+', '/']),
  };
  const ours = Object.entries(kinds).map(([kind, text]) => [kind, timed(() => count(text)).milliseconds]);
  return { ours: Object.fromEntries(ours), theirs: timed(() => other(' '.repeat(10_000))).milliseconds };
}

process.stdout.write(JSON.stringify(await { mix, start, runs }[what]()));
