// Takes the place of @vscode/spdlog in a VS Code server, whose native part needs a compiler: writes every log to its file.
const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');

const levels = ['trace', 'debug', 'info', 'warning', 'error', 'critical', 'off'];

class Logger {
  #path;
  #level = levels.indexOf('info');
  #isRaw = false;

  constructor(path) {
    this.#path = path;
    mkdirSync(dirname(path), { recursive: true });
  }

  #write(level, text) {
    if (level >= this.#level) {
      const line = `${new Date().toISOString()} [${levels[level]}] ${text}\n`;
      appendFileSync(this.#path, this.#isRaw ? text : line);
    }
  }

  trace = text => this.#write(0, text);
  debug = text => this.#write(1, text);
  info = text => this.#write(2, text);
  warn = text => this.#write(3, text);
  error = text => this.#write(4, text);
  critical = text => this.#write(5, text);
  getLevel = () => this.#level;
  setLevel = level => (this.#level = level);
  setPattern() {}
  clearFormatters = () => (this.#isRaw = true);
  flush() {}
  drop() {}
}

exports.setLevel = () => undefined;
exports.setFlushOn = () => undefined;
exports.createRotatingLogger = async (_name, path) => new Logger(path);
exports.createAsyncRotatingLogger = exports.createRotatingLogger;
