// Preloaded with --require: ends this process soon after its parent is gone. Child processes inherit the flag, and so the habit.
const process = require('node:process');
const { setInterval } = require('node:timers');

const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) {
    process.exit(1);
  }
}, 1000).unref();
