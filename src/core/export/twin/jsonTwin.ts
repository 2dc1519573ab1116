import { stringEnd } from '../../base/jsonTokens';

/** The place of a string or number in a JSON text. */
export interface JsonPlace {
  /** The nearest key above the value; empty if there is none. */
  readonly key: string;
  /** The key of the enclosing object. */
  readonly outer: string;
  /** True if the value is part of the arguments of a tool call. */
  readonly isInput: boolean;
}

/** The replacements for the values of a JSON text. */
export interface JsonMapper {
  key(key: string): string;
  string(value: string, place: JsonPlace): string;
  /** Returns the replacement for a number in its written form. */
  number(number: string, place: JsonPlace): string;
}

const inputKey = /^(?:input|arguments|args|parameters|params|tool_?input|rawInput|kwargs)$/i;

/** The number of strings between two pauses. */
const stepLength = 64;

interface Level {
  readonly isObject: boolean;
  key: string;
  readonly isInput: boolean;
  readonly outerKey: string;
  expectsKey: boolean;
}

/**
 * Writes a JSON text again with other values, and with the same white space, order and nesting. The text must be valid
 * JSON; nesting may be of any depth.
 */
export function mapJson(text: string, mapper: JsonMapper): string {
  const steps = mapJsonInSteps(text, mapper);
  let step = steps.next();
  while (step.done !== true) {
    step = steps.next();
  }
  return step.value;
}

/** Like `mapJson`, with a pause after every few values, so that other work can run in between. */
export function* mapJsonInSteps(text: string, mapper: JsonMapper): Generator<undefined, string> {
  const output: string[] = [];
  const levels: Level[] = [];
  let copied = 0;
  let values = 0;
  const put = (start: number, end: number, written: string): void => {
    output.push(text.slice(copied, start), written);
    copied = end;
  };
  const placeNow = (): JsonPlace => {
    const level = levels.at(-1);
    return {
      key: level?.key ?? '',
      outer: level?.outerKey ?? '',
      isInput: level !== undefined && isInputOf(level),
    };
  };
  for (let index = 0; index < text.length;) {
    const unit = text.charCodeAt(index);
    const level = levels.at(-1);
    if (unit === 0x22) {
      values += 1;
      if (values % stepLength === 0) {
        yield;
      }
      const end = stringEnd(text, index + 1);
      const written = text.slice(index, end);
      const value: unknown = JSON.parse(written);
      if (typeof value === 'string') {
        if (level?.isObject === true && level.expectsKey) {
          level.key = value;
          level.expectsKey = false;
          const key = mapper.key(value);
          if (key !== value) {
            put(index, end, JSON.stringify(key));
          }
        } else {
          const mapped = mapper.string(value, placeNow());
          if (mapped !== value) {
            put(index, end, JSON.stringify(mapped));
          }
        }
      }
      index = end;
    } else if (unit === 0x7b || unit === 0x5b) {
      const { key, isInput } = placeNow();
      levels.push({ isObject: unit === 0x7b, key, outerKey: key, isInput, expectsKey: unit === 0x7b });
      index += 1;
    } else if (unit === 0x7d || unit === 0x5d) {
      levels.pop();
      index += 1;
    } else if (unit === 0x2c) {
      if (level !== undefined) {
        level.expectsKey = level.isObject;
        level.key = level.outerKey;
      }
      index += 1;
    } else if (unit === 0x2d || (unit >= 0x30 && unit <= 0x39)) {
      let end = index + 1;
      while (end < text.length && isOfNumber(text.charCodeAt(end))) {
        end += 1;
      }
      const number = text.slice(index, end);
      const mapped = mapper.number(number, placeNow());
      if (mapped !== number) {
        put(index, end, mapped);
      }
      index = end;
    } else {
      index += 1;
    }
  }
  output.push(text.slice(copied));
  return output.join('');
}

function isInputOf({ isObject, isInput, key }: Level): boolean {
  return isInput || (isObject && inputKey.test(key));
}

function isOfNumber(unit: number): boolean {
  return (
    (unit >= 0x30 && unit <= 0x39) ||
    unit === 0x2e ||
    unit === 0x65 ||
    unit === 0x45 ||
    unit === 0x2b ||
    unit === 0x2d
  );
}
