// A reporter of Node's test runner that ends the process at the first failure and prints where it was.
const { writeSync } = require('node:fs');
const process = require('node:process');
const { Transform } = require('node:stream');

let file = '';

module.exports = new Transform({
  writableObjectMode: true,
  transform({ type, data }, _encoding, done) {
    if (type === 'test:start' && data.nesting === 0) {
      file = data.name;
    } else if (type === 'test:fail' && data.todo === undefined) {
      writeSync(1, `${JSON.stringify({ file, test: data.name })}\n`);
      process.exit(1);
    }
    done();
  },
});
