// Measures what agents send of their own, system prompt and built-in tools, from recorded runs: `npm run agent-sizes -w research -- FOLDER`. A run is FOLDER/AGENT/VERSION/NAME/raw-requests.jsonl, which may be gzipped; only sizes are stored.
import '../../scripts/lib/currentNode.mjs';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { loadBundle } from '../../scripts/lib/runBundle.mjs';
import { writeTable } from './lib/writeTable.mjs';

const folder = process.argv[2];
if (folder === undefined) {
  console.error('Give the folder of the runs: npm run agent-sizes -w research -- FOLDER');
  process.exit(2);
}
const { loadTokenizer } = await loadBundle('src/core/tokens/bytePairTokenizer.ts');
const tokenizer = await loadTokenizer('o200k_base');
const count = text => tokenizer.count(text);
const sizes = [];
for (const agent of readdirSync(folder).sort()) {
  for (const version of readdirSync(join(folder, agent)).sort()) {
    const runs = readdirSync(join(folder, agent, version)).flatMap(run =>
      requestsOf(join(folder, agent, version, run)),
    );
    const measured = runs.map(sizesOf).filter(({ tools }) => tools > 0);
    if (measured.length > 0) {
      sizes.push({
        agent,
        version,
        system: median(measured.map(({ system }) => system)),
        tools: median(measured.map(({ tools }) => tools)),
        runs: measured.length,
      });
    }
  }
}
writeTable('agentSizes', sizes);
for (const { agent, version, system, tools, runs } of sizes) {
  console.log(`${agent} ${version}: system prompt ${system}, tools ${tools} tokens, ${runs} runs`);
}

/** Of the first requests with tools of a run the one with the most: titles are made with few. */
function requestsOf(run) {
  for (const name of ['raw-requests.jsonl', 'raw-requests.jsonl.gz']) {
    let bytes;
    try {
      bytes = readFileSync(join(run, name));
    } catch {
      continue;
    }
    const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
    const bodies = text
      .split('\n')
      .flatMap(line => (line === '' ? [] : [JSON.parse(line).body]))
      .filter(body => typeof body === 'object' && body !== null && toolsOf(body).length > 0)
      .slice(0, 4)
      .sort((one, other) => toolsOf(other).length - toolsOf(one).length);
    return bodies.slice(0, 1);
  }
  return [];
}

function toolsOf({ tools, input }) {
  const additional = (Array.isArray(input) ? input : []).filter(item => item.type === 'additional_tools');
  return [...(Array.isArray(tools) ? tools : []), ...additional.flatMap(item => item.tools)];
}

/** Messages of the system and of the developer that open the request are the agent's own, whatever the API calls them. */
function sizesOf(body) {
  const { system, systemInstruction, instructions, messages, input } = body;
  const opening = [];
  for (const message of [...(messages ?? []), ...(Array.isArray(input) ? input : [])]) {
    if (message.role === 'user' || message.role === 'assistant') {
      break;
    }
    opening.push(message.content);
  }
  const texts = [system, systemInstruction, instructions, ...opening].flatMap(textsOf);
  return {
    system: texts.reduce((sum, text) => sum + count(text), 0),
    tools: toolsOf(body).reduce((sum, tool) => sum + count(JSON.stringify(tool)), 0),
  };
}

function textsOf(value) {
  if (typeof value === 'string') {
    return [value];
  }
  if (Array.isArray(value)) {
    return value.flatMap(textsOf);
  }
  return typeof value === 'object' && value !== null ? [value.text ?? value.parts].flatMap(textsOf) : [];
}

function median(numbers) {
  return [...numbers].sort((first, second) => first - second)[numbers.length >> 1];
}
