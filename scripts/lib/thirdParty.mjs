// Finds the third-party software in the bundles, and writes the files that its licences and reviewers require:
// ThirdPartyNotices.txt with the full texts, and bom.cdx.json, a CycloneDX 1.6 bill of materials.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';

const require = createRequire(import.meta.url);
const licenceTexts = join(import.meta.dirname, '..', 'licences');

/**
 * Licence texts stored in scripts/licences, for packages that publish none or that are bundled inside another package,
 * where npm does not install them.
 */
const keptTexts = {
  '@microsoft/fast-element': { file: 'fast.txt' },
  '@microsoft/fast-foundation': { file: 'fast.txt' },
  '@microsoft/fast-react-wrapper': { file: 'fast.txt' },
  '@microsoft/fast-web-utilities': { file: 'fast.txt' },
  '@textlint/regexp-string-matcher': { file: 'regexp-string-matcher.txt', licence: 'MIT' },
  ajv: { file: 'ajv.txt', licence: 'MIT' },
  'ajv-formats': { file: 'ajv-formats.txt', licence: 'MIT' },
  'content-type': { file: 'content-type.txt', licence: 'MIT' },
  'escape-string-regexp': { file: 'escape-string-regexp.txt', licence: 'MIT' },
  'fast-deep-equal': { file: 'fast-deep-equal.txt', licence: 'MIT' },
  'fast-uri': { file: 'fast-uri.txt', licence: 'BSD-3-Clause' },
  'json-schema-traverse': { file: 'json-schema-traverse.txt', licence: 'MIT' },
  'lodash.sortby': { file: 'lodash.txt', licence: 'MIT' },
  'lodash.uniq': { file: 'lodash.txt', licence: 'MIT' },
  'lodash.uniqwith': { file: 'lodash.txt', licence: 'MIT' },
  'node-forge': { file: 'node-forge.txt', licence: 'BSD-3-Clause OR GPL-2.0-only' },
};

/** The package for databases contains SQLite, Emscripten's runtime and musl. */
const databaseParts = async version => [
  kept('SQLite', 'blessing', 'https://sqlite.org', await version()),
  kept('Emscripten', 'MIT', 'https://emscripten.org'),
  kept('musl', 'MIT', 'https://musl.libc.org'),
];

async function sqliteVersion() {
  const { Database } = await require('sql.js')();
  const database = new Database();
  const [{ values }] = database.exec('SELECT sqlite_version()');
  database.close();
  return String(values[0][0]);
}

function kept(name, licence, url, version) {
  const text = readFileSync(join(licenceTexts, `${name.toLowerCase()}.txt`), 'utf8');
  return { name, version, licence, url, texts: [text] };
}

/**
 * Software that no source file names: it is compiled into another file or made from data. `input` is an esbuild input
 * that contains it.
 */
const compiledIn = [
  {
    input: /^wasm:/,
    components: () => [packageIn(join('node_modules', 'assemblyscript'))],
  },
  {
    input: /^vocabulary-file:/,
    components: () => [kept('tiktoken', 'MIT', 'https://github.com/openai/tiktoken')],
  },
  {
    input: /node_modules\/sql\.js\//,
    components: () => databaseParts(sqliteVersion),
  },
];

function addressOf(repository) {
  const url = typeof repository === 'string' ? repository : repository?.url;
  return url
    ?.replace(/^git\+/, '')
    .replace(/^(?:ssh:\/\/git@|git:\/\/|git@)/, 'https://')
    .replace(/\.git$/, '');
}

/** An installed package. Throws if it has no licence text, because it must not be shipped without one. */
function packageIn(folder) {
  const { name, version, license, homepage, repository } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const files = readdirSync(folder).filter(file =>
    /^(?:licen[cs]e|copying|notices?|copyrightnotice)\b/i.test(file),
  );
  const texts = files.length > 0 ? files.map(file => join(folder, file)) : [keptTextOf(name)];
  return {
    name,
    version,
    licence: license,
    url: addressOf(repository) ?? homepage,
    package: name,
    texts: texts.map(path => readFileSync(path, 'utf8')),
  };
}

function keptTextOf(name) {
  const text = keptTexts[name];
  if (text === undefined) {
    throw new Error(
      `${name} is bundled and publishes no licence text; add it to scripts/licences and scripts/lib/thirdParty.mjs.`,
    );
  }
  return join(licenceTexts, text.file);
}

/** A package that npm did not install, because it comes inside another package's file. */
function packageInside(name, version) {
  return {
    name,
    version,
    licence: keptTexts[name]?.licence,
    package: name,
    texts: [readFileSync(keptTextOf(name), 'utf8')],
  };
}

const packageFolder = /^.*node_modules\/(?:@[^/]+\/)?[^/@]+/;

/** The packages in a file's own source map: the file was bundled before it was published. */
function packagesInside(path, folder) {
  if (!existsSync(`${path}.map`)) {
    return [];
  }
  const holder = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const found = new Map();
  for (const source of JSON.parse(readFileSync(`${path}.map`, 'utf8')).sources) {
    const [, installed, version] =
      /\.pnpm\/((?:@[^/@]+\+)?[^/@]+)@([^/_(]+)[^/]*\/node_modules\//.exec(source) ?? [];
    // A package of the same repository, which has the repository's licence.
    const [beside] = packageFolder.exec(join(dirname(path), source)) ?? [];
    if (installed !== undefined) {
      found.set(installed, packageInside(installed.replace('+', '/'), version));
    } else if (beside !== undefined && beside !== folder) {
      const name = relative('node_modules', beside);
      const licensed = { ...packageIn(folder), name, package: name };
      const version = holder.devDependencies?.[name];
      found.set(name, { ...licensed, version: /^\d/.test(version ?? '') ? version : holder.version });
    }
  }
  return [...found.values()];
}

async function componentsOf(input) {
  const [folder] = packageFolder.exec(input) ?? [];
  return [
    ...(folder === undefined ? [] : [packageIn(folder), ...packagesInside(input, folder)]),
    ...(
      await Promise.all(compiledIn.filter(entry => entry.input.test(input)).map(entry => entry.components()))
    ).flat(),
  ];
}

/**
 * All third-party software in the bundles that esbuild describes in `metafiles`, by name, each with the names of the
 * bundles that contain it.
 */
export async function thirdPartyComponents(metafiles) {
  const components = new Map();
  for (const { outputs } of metafiles) {
    for (const [output, { inputs }] of Object.entries(outputs)) {
      const held = Object.keys(inputs).filter(input => inputs[input].bytesInOutput > 0);
      for (const component of (await Promise.all(held.map(componentsOf))).flat()) {
        const key = `${component.name}@${component.version ?? ''}`;
        const known = components.get(key) ?? { ...component, bundles: new Set() };
        known.bundles.add(basename(output));
        components.set(key, known);
      }
    }
  }
  return [...components.entries()]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, component]) => ({ ...component, bundles: [...component.bundles].sort() }));
}

/** The text of ThirdPartyNotices.txt. */
export function noticesText(components) {
  const line = '-'.repeat(80);
  return [
    'Context Inspector contains the software listed below, under the licences that follow each name.',
    ...components.map(({ name, version, licence, url, texts }) =>
      [line, [name, version].filter(Boolean).join(' '), licence, url, '', ...texts.map(text => text.trim())]
        .filter(part => part !== undefined)
        .join('\n'),
    ),
    '',
  ].join('\n\n');
}

/** npm's checksum of a package, as hexadecimal digits. */
function checksumOf(locked) {
  const [, base64] = /^sha512-(.+)$/.exec(locked?.integrity ?? '') ?? [];
  return base64 && [{ alg: 'SHA-512', content: Buffer.from(base64, 'base64').toString('hex') }];
}

/**
 * The bill of materials as JSON text. It contains neither time nor random number, so equal bundles give equal files.
 */
export function billOfMaterials(components, { name, version }) {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const locked = component =>
    Object.entries(packages).find(
      ([path, entry]) =>
        path.endsWith(`node_modules/${component.package}`) && entry.version === component.version,
    )?.[1];
  const reference = component => `${component.name}@${component.version ?? 'unknown'}`;
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': name, name, version } },
    components: components.map(component => ({
      type: 'library',
      'bom-ref': reference(component),
      name: component.name,
      version: component.version,
      hashes: checksumOf(locked(component)),
      licenses: [
        / OR /.test(component.licence)
          ? { expression: component.licence }
          : { license: { id: component.licence } },
      ],
      purl: component.package && `pkg:npm/${component.package.replace('@', '%40')}@${component.version}`,
      externalReferences: component.url && [{ type: 'website', url: component.url }],
      properties: component.bundles.map(value => ({ name: 'context-inspector:bundle', value })),
    })),
    dependencies: [{ ref: name, dependsOn: components.map(reference) }],
  };
  return `${JSON.stringify(bom, undefined, 2)}\n`;
}
