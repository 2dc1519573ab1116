// Bundles the unit tests with esbuild and runs them in plain Node. Arguments: words; only test files whose path has one of them run.
import { runTestFiles } from '../scripts/lib/testFiles.mjs';

process.exitCode = await runTestFiles('test/unit');
