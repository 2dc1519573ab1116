// Preloaded into a measured program that is to believe that the machine has one core.
const os = require('node:os');
const { syncBuiltinESMExports } = require('node:module');

os.availableParallelism = () => 1;
syncBuiltinESMExports();
