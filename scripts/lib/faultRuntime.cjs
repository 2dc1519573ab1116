// Decides about the faults that plantedFaults.mjs plants. One fault is active, by its number in the file `active`. If
// none is (0), the numbers of the faults that change a value go into the file `reached`. Files, because tests start
// programs without their environment.
const { appendFileSync, readFileSync } = require('node:fs');

/** Operators, as they are and as they become. */
const operators = {
  '<': [(a, b) => a < b, (a, b) => a <= b],
  '<=': [(a, b) => a <= b, (a, b) => a < b],
  '>': [(a, b) => a > b, (a, b) => a >= b],
  '>=': [(a, b) => a >= b, (a, b) => a > b],
  '===': [(a, b) => a === b, (a, b) => a !== b],
  '!==': [(a, b) => a !== b, (a, b) => a === b],
  '+': [(a, b) => a + b, (a, b) => a - b],
  '-': [(a, b) => a - b, (a, b) => a + b],
  '*': [(a, b) => a * b, (a, b) => a / b],
  '/': [(a, b) => a / b, (a, b) => a * b],
  '%': [(a, b) => a % b, (a, b) => a * b],
  '<<': [(a, b) => a << b, (a, b) => a >> b],
  '>>': [(a, b) => a >> b, (a, b) => a << b],
  '>>>': [(a, b) => a >>> b, (a, b) => a << b],
  '&': [(a, b) => a & b, (a, b) => a | b],
  '|': [(a, b) => a | b, (a, b) => a & b],
};

/** The functions that the planted code calls, as the global `planted`. */
function plantedIn(folder) {
  const active = Number(readFileSync(`${folder}/active`, 'utf8'));
  const noted = new Set();

  function value(id, original, changed) {
    if (active === 0 && original !== changed && !noted.has(id)) {
      noted.add(id);
      appendFileSync(`${folder}/reached`, `${id}\n`);
    }
    return active === id ? changed : original;
  }

  return {
    value,
    on: id => value(id, false, true),
    // Keeps the value itself, which a narrowed variable may hold.
    condition: (id, test, always) => (value(id, Boolean(test), always) === Boolean(test) ? test : always),
    binary: (id, left, right, operator) => {
      const [original, changed] = operators[operator];
      return value(id, original(left, right), changed(left, right));
    },
  };
}

module.exports = folder => {
  globalThis.planted ??= plantedIn(folder);
};
