// Preloaded into a measured program: tells file descriptor 3 when it ends, as JSON, its peak memory in bytes and how many
// worker threads it has started.
const { readFileSync, writeSync } = require('node:fs');
const process = require('node:process');
const { isMainThread } = require('node:worker_threads');

function peak() {
  try {
    // Linux counts the memory of the process that forked this one into maxRSS; VmHWM begins with the program itself.
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
    return Number(kilobytes) * 1024;
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}

if (isMainThread) {
  let workers = 0;
  process.on('worker', () => (workers += 1));
  process.on('exit', () => writeSync(3, JSON.stringify({ peak: peak(), workers })));
}
