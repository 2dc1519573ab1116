// Bundles the webview's tests with esbuild and runs them in Node, with a browser to connect to. Arguments: words; only test files whose path
// has one of them run. A test connects by `chromium.connect(process.env.BROWSER_ADDRESS)` of playwright-core.
import { chromium } from 'playwright-core';
import { browserOptions } from '../../scripts/lib/browser.mjs';
import { runTestFiles } from '../../scripts/lib/testFiles.mjs';

const browser = await chromium.launchServer(await browserOptions());
try {
  process.exitCode = await runTestFiles('test/webview', { environment: { BROWSER_ADDRESS: browser.wsEndpoint() } });
} finally {
  await browser.close();
}
