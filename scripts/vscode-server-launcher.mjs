#!/usr/bin/env node
// Acts as the executable of desktop VS Code for extension tests, with a VS Code server and a headless browser instead
// of a window. Accepts one --extensionDevelopmentPath=, --extensionTestsPath=, --enable-proposed-api=, --locale= and a
// folder, and reads the settings in --user-data-dir=. In addition to VS Code's options, --install-extension= is a VSIX
// that is installed first, and --vscode-version= a name in lib/vscodeServer.mjs. Exits with the tests' exit code.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startBridge } from './lib/bridge.mjs';
import { cache } from './lib/packages.mjs';
import { pseudoLanguage, writePseudoLanguage } from './lib/pseudoLanguage.mjs';
import { startVscodeServer, versions } from './lib/vscodeServer.mjs';
import { openWorkbench } from './lib/workbench.mjs';

const timeoutMilliseconds = 1_800_000;

function options(name) {
  const prefix = `--${name}=`;
  return process.argv.flatMap(argument => (argument.startsWith(prefix) ? argument.slice(prefix.length) : []));
}

const option = name => options(name)[0];

function userSettings() {
  const profile = option('user-data-dir');
  return profile === undefined
    ? {}
    : JSON.parse(readFileSync(join(profile, 'User', 'settings.json'), 'utf8'));
}

/** Messages of the workbench about itself or about missing parts. Many begin with the name of a part in brackets. */
const noise =
  /^\[[\w.: -]+\]|ripgrep|connection token|Creating a socket|open-vsx|ChatSessionStore|builtin extensions cache|authentication provider 'github'/;

/**
 * Runs in the page and its frames before their own scripts: sets the language, and notes texts that are drawn as
 * pictures.
 */
function showIn(locale) {
  // The place in which VS Code's scripts look for the language. Without texts there, VS Code itself is in English and
  // the extension is not.
  globalThis._VSCODE_NLS_LANGUAGE = locale;
  const drawn = (globalThis.drawnTexts = new Set());
  const { prototype } = globalThis.CanvasRenderingContext2D;
  const { fillText } = prototype;
  prototype.fillText = function (text, ...place) {
    drawn.add(text);
    return fillText.call(this, text, ...place);
  };
}

/** Runs the tests and resolves with their exit code. */
async function runTests(stopping) {
  let workbench;
  const bridge = await startBridge(() => workbench);
  stopping.push(bridge.stop);
  const locale = option('locale');
  const server = await startVscodeServer({
    version: versions[option('vscode-version') ?? 'minimum'],
    packages: options('install-extension'),
    prepare: locale === pseudoLanguage ? writePseudoLanguage : undefined,
    settings: userSettings(),
    environment: { CONTEXT_INSPECTOR_BRIDGE: bridge.address },
  });
  stopping.push(server.stop);
  const remote = path => `vscode-remote://127.0.0.1:${server.port}${path}`;
  const payload = [
    ['extensionDevelopmentPath', remote(option('extensionDevelopmentPath'))],
    ['extensionTestsPath', remote(option('extensionTestsPath'))],
    // This VS Code accepts no names here, so every extension may use proposed APIs.
    ...(option('enable-proposed-api') === undefined ? [] : [['enableProposedApi', '']]),
    ['skipWelcome', 'true'],
  ];
  const folder = process.argv.slice(2).find(argument => !argument.startsWith('-'));
  const address = `${server.address(folder)}&payload=${encodeURIComponent(JSON.stringify(payload))}`;
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('The tests did not end in time.')), timeoutMilliseconds).unref();
    openWorkbench(address, async page => {
      if (locale !== undefined) {
        await page.addInitScript(showIn, locale);
      }
      await page.exposeFunction('codeAutomationLog', (type, texts) => {
        const text = texts.join(' ');
        if (!noise.test(text)) {
          console.log(text);
        }
      });
      await page.exposeFunction('codeAutomationExit', code => resolve(code));
    }).then(opened => {
      workbench = { ...opened, logs: server.logs };
      stopping.push(opened.close);
    }, reject);
  }).then(async code => {
    if (code !== 0) {
      const picture = join(cache, 'integration-failure.png');
      mkdirSync(cache, { recursive: true });
      await workbench.page.screenshot({ path: picture });
      console.error(`Screenshot of the end: ${picture}`);
    }
    return code;
  });
}

const stopping = [];
async function end(code) {
  await Promise.allSettled(stopping.reverse().map(stop => stop()));
  process.exit(code);
}

process.on('SIGINT', () => end(130));
process.on('SIGTERM', () => end(143));
process.stdin.on('end', () => end(1)).resume();
runTests(stopping).then(end, async error => {
  console.error(error);
  await end(1);
});
