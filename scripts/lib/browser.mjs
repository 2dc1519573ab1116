// Finds a Chromium: the one at CHROME_PATH, one from npm, an installed one, or Playwright's download, in this order. The one from npm draws no
// window of its own, so pages take a third to a half less time in it.
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installTool, NotInstalled, root } from './packages.mjs';

/** An npm package with Chromium for Linux x64, and fonts for machines without any. */
const npmChromium = ['@sparticuz/chromium@153.0.0', 'dejavu-fonts-ttf@2.37.3'];

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

function installedBrowser() {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap(folder => names.map(name => join(folder, name)));
  const installed = [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
    ...[process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA]
      .filter(folder => folder !== undefined)
      .flatMap(folder => [
        join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe'),
        join(folder, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
      ]),
  ];
  const executablePath = [...onPath, ...installed].find(path => existsSync(path));
  return executablePath && { executablePath };
}

/** The machine's fonts first, then those of the packages. */
const fontConfiguration = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <dir prefix="xdg">fonts</dir>
  <dir prefix="relative">fonts</dir>
  <dir prefix="relative">node_modules/dejavu-fonts-ttf/ttf</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
  <alias><family>sans-serif</family><prefer><family>Open Sans</family><family>DejaVu Sans</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
</fontconfig>
`;

/** Unpacks the browser into `folder` in a separate process, because the package always writes to the temporary folder, which all projects share. */
function unpack(folder) {
  const library = JSON.stringify(
    pathToFileURL(join(folder, 'node_modules/@sparticuz/chromium/build/index.js')),
  );
  const archive = JSON.stringify(join(folder, 'node_modules/@sparticuz/chromium/bin/al2023.tar.br'));
  const code = `import chromium, { inflate } from ${library}; await chromium.executablePath(); await inflate(${archive});`;
  const { status } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 2, 2],
    env: { ...process.env, TMPDIR: folder },
  });
  if (status !== 0) {
    throw new Error('The browser from npm could not be unpacked.');
  }
  writeFileSync(join(folder, 'fonts.conf'), fontConfiguration);
}

/** The browser from npm, with its own copies of system libraries that the machine lacks. */
async function browserFromNpm() {
  const folder = await installTool(npmChromium, unpack);
  const executablePath = join(folder, 'chromium');
  const runs = env => spawnSync(executablePath, ['--version'], { env }).status === 0;
  const env = { ...process.env, FONTCONFIG_FILE: join(folder, 'fonts.conf') };
  const withLibraries = { ...env, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') };
  const working = [env, withLibraries].find(runs);
  return working && { executablePath, env: working };
}

/** Playwright's own download, which Playwright finds itself. */
function browserFromPlaywright() {
  const cli = join(root, 'node_modules', 'playwright-core', 'cli.js');
  const install = [cli, 'install', '--only-shell', 'chromium'];
  const { status } = spawnSync(process.execPath, install, { stdio: ['ignore', 2, 2] });
  return status === 0 ? {} : undefined;
}

/**
 * Options for playwright-core's `chromium.launch` and `chromium.launchServer`. Downloads a browser if the machine has none.
 * Throws an error that says what to install if that fails.
 */
export async function browserOptions() {
  const chosen = process.env.CHROME_PATH;
  const npmServes = process.platform === 'linux' && process.arch === 'x64';
  const found =
    (chosen && { executablePath: chosen }) ||
    (npmServes && (await browserFromNpm().catch(({ message }) => console.error(message)))) ||
    installedBrowser() ||
    browserFromPlaywright();
  if (!found) {
    throw new NotInstalled('No browser found: install Chromium, Chrome or Edge, or set CHROME_PATH to one.');
  }
  return { ...found, args: flags };
}
