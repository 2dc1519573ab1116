import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getSystemErrorMap } from 'node:util';
import { describeAnyError, describeFileError, describeWriteError } from '../../../src/node/files/fileErrors';
import { describeIndexError } from '../../../src/node/index/indexErrors';

/** An error as Node throws it. */
const systemError = (code: string, words: string): Error =>
  Object.assign(new Error(`${code}: ${words}, open '/home/ada/a.jsonl'`), {
    code,
    errno: -1,
    syscall: 'open',
  });

/** An error as VS Code passes it on from a file system. */
const passedOn = (code: string, words: string): Error =>
  Object.assign(new Error(`Unable to write file (Unknown (FileSystemError): Error: ${code}: ${words})`), {
    code: 'Unknown',
  });

describe('an error of the system', () => {
  const describers = { describeAnyError, describeFileError, describeWriteError, describeIndexError };
  for (const [name, of] of Object.entries(describers)) {
    it(`is one sentence without its code, for ${name}`, () => {
      for (const [code, words] of getSystemErrorMap().values()) {
        for (const error of [systemError(code, words), passedOn(code, words)]) {
          const sentence = of(error);
          assert.match(sentence, /^[A-Z][^\n]*[.?]$/, code);
          assert.doesNotMatch(sentence, /\bE[A-Z\d]{2,}\b|errno|syscall|\/home|FileSystemError/, code);
        }
      }
    });
  }

  it('keeps a sentence of our own', () => {
    assert.equal(describeAnyError(new Error('The transcript was closed.')), 'The transcript was closed.');
  });

  it('says what to do about it where it is known', () => {
    for (const [code, sentence] of [
      ['ENOENT', /its folder does not exist/],
      ['EACCES', /permission denied/],
      ['EROFS', /permission denied/],
      ['ENOSPC', /the disk is full/],
      ['EMFILE', /too many files are open/],
      ['EBUSY', /another program uses it/],
    ] as const) {
      assert.match(describeWriteError(systemError(code, 'words')), sentence);
    }
  });
});
