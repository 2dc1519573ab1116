import { isDeepStrictEqual } from 'node:util';
import {
  applyEdits,
  modify,
  type ParseError,
  parse,
  printParseErrorCode,
} from 'jsonc-parser/lib/esm/main.js';
import { Emitter } from '../app/emitter';
import type { SettingScope, SettingStore } from '../app/settings/configuration';
import { usualValues } from '../app/settings/settingsTable';
import { isObject, type JsonObject } from '../core/base/json';
import { translate } from '../core/base/translate';
import { replaceFile, textOf, watchFile } from './jsonFile';

/** As in VS Code's own settings: comments and a comma at the end are allowed. */
const leniently = { allowTrailingComma: true, allowEmptyContent: true };
const layout = { formattingOptions: { insertSpaces: true, tabSize: 2 } };

/** The settings in a file of the user, with the names of VS Code's. */
export class SettingsFile implements SettingStore {
  private readonly changes = new Emitter<(id: string) => boolean>();
  readonly onDidChange = this.changes.event;
  private values: JsonObject = {};
  private readonly stop: () => void;
  /** Changes to the file, one after the other. */
  private last: Promise<void> = Promise.resolve();

  /** @param warn gets a sentence about a file that cannot be used */
  constructor(
    readonly path: string,
    private readonly warn: (sentence: string) => void,
  ) {
    this.values = this.read() ?? {};
    const watcher = watchFile(path, () => this.follow());
    this.stop = () => watcher.close();
  }

  get(id: string): unknown {
    return this.setValue(id, 'user') ?? usualValues.get(id);
  }

  setValue(id: string, scope: SettingScope): unknown {
    return scope === 'user' && Object.hasOwn(this.values, id) ? this.values[id] : undefined;
  }

  /** Keeps everything else in the file. Rejects with a sentence, and leaves the file, if it is not valid. */
  update(id: string, value: unknown): Promise<void> {
    const work = this.last.then(() => this.write(id, value));
    this.last = work.catch(() => undefined);
    return work;
  }

  /** Creates the file, for an editor. */
  async create(): Promise<string> {
    if (textOf(this.path) === undefined) {
      await replaceFile(this.path, '{}\n');
    }
    return this.path;
  }

  dispose(): void {
    this.stop();
  }

  private async write(id: string, value: unknown): Promise<void> {
    if (this.read() === undefined) {
      throw new Error(translate('The setting was not saved, because {0} is not valid.', this.path));
    }
    const text = textOf(this.path) ?? '{}';
    const changed = applyEdits(text, modify(text, [id], value, layout));
    await replaceFile(this.path, changed.endsWith('\n') ? changed : `${changed}\n`);
    this.follow();
  }

  private follow(): void {
    const values = this.read();
    if (values === undefined || isDeepStrictEqual(values, this.values)) {
      return;
    }
    const before = this.values;
    this.values = values;
    const changed = [...new Set([...Object.keys(before), ...Object.keys(values)])].filter(
      id => !isDeepStrictEqual(before[id], values[id]),
    );
    this.changes.fire(id => changed.some(each => each === id || each.startsWith(`${id}.`)));
  }

  /** The content of the file, empty if there is none; undefined if it is not valid. */
  private read(): JsonObject | undefined {
    const errors: ParseError[] = [];
    const value: unknown = parse(textOf(this.path) ?? '{}', errors, leniently) ?? {};
    const [error] = errors;
    if (error === undefined && isObject(value)) {
      return value;
    }
    const reason =
      error === undefined
        ? translate('it must be one object')
        : `${printParseErrorCode(error.error)} at ${error.offset}`;
    this.warn(translate('The settings in {0} are not valid and are not used: {1}.', this.path, reason));
    return undefined;
  }
}
