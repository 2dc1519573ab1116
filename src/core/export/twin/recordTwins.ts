import { base64 } from '../../base/base64';
import { isArray, isObject, member, numberAt, objectAt, parseJson, stringAt } from '../../base/json';
import { sha256Hex } from '../../base/sha256';
import { decodeBase64, streamKindOf } from '../../wire/derivedValue';
import { parseDataUrl } from '../../content/imageInfo';
import { readEvents, type StreamEventData } from '../../wire/sse';
import { imageTwin, isImage } from './imageTwin';
import { type JsonMapper, type JsonPlace, mapJson } from './jsonTwin';
import { isKeptNumber, type KeptParts } from './keptParts';
import type { NumberTwins } from './numberTwins';
import { RandomNumbers } from '../../base/randomNumbers';
import type { TextTwins } from './textTwins';

/** Number of replaced items, by kind. */
export interface TwinCounts {
  texts: number;
  names: number;
  numbers: number;
  images: number;
  /** Number of kept values: kinds, roles, ids, times, usage. */
  kept: number;
}

const bodyForm = /^[A-Za-z0-9+/]+={0,2}$/;
const shortestBody = 16;
const dataMark = 'data:'.length;
/** Members with the value of an OpenTelemetry attribute. */
const attributeValue = /^(?:string|int|double)Value$/;
const encoder = new TextEncoder();

/** Members whose values a stream splits into pieces. */
const pieceKeys: ReadonlySet<string> = new Set([
  'text',
  'thinking',
  'partial_json',
  'content',
  'reasoning_content',
  'reasoning',
  'refusal',
  'arguments',
  'delta',
  'summary',
]);

/** Makes the twins of JSON texts, event streams and plain texts. The first pass learns, the second one replaces. */
export class RecordTwins {
  isLearning = true;
  readonly counts: TwinCounts = { texts: 0, names: 0, numbers: 0, images: 0, kept: 0 };

  /** The name of the OpenTelemetry attribute whose value comes next; empty if the attribute is not kept. */
  private attributeKey = '';

  constructor(
    private readonly kept: KeptParts,
    private readonly texts: TextTwins,
    private readonly numbers: NumberTwins,
    /** The key of this run. */
    private readonly key: string,
    /** Splits a text where the format's reader cuts it, as it was cut when it was sent. */
    private readonly piecesOf: (text: string) => readonly string[],
  ) {}

  /** The twin of a JSON text, of an event stream, or of any other text. */
  ofText(text: string): string {
    return streamKindOf(text) === undefined
      ? this.ofPlainText(text)
      : this.ofEvents(text, readEvents(text), dataMark);
  }

  ofPlainText(text: string): string {
    const pieces = this.piecesOf(text);
    if (this.isLearning) {
      pieces.forEach(piece => this.texts.learn(piece));
      return text;
    }
    const twin = pieces.map(piece => this.texts.replace(piece)).join('');
    this.counts.texts += twin === text ? 0 : 1;
    return twin;
  }

  /** The twin of a text that is valid JSON. */
  ofJson(text: string, piece?: (value: string, place: JsonPlace) => string | undefined): string {
    return mapJson(text, this.mapper(piece));
  }

  /** The replacements that `ofJson` writes. */
  mapper(piece?: (value: string, place: JsonPlace) => string | undefined): JsonMapper {
    return {
      key: key => this.ofKey(key),
      string: (value, place) => piece?.(value, place) ?? this.ofString(value, place),
      number: (number, place) => this.ofNumber(number, place),
    };
  }

  /** The twin of a JSON text in which the members with this key are one text received in pieces. */
  ofPieces(json: string, key: string): string {
    const pieces: string[] = [];
    this.scan(json, (value, place) => {
      if (place.key === key) {
        pieces.push(value);
      }
    });
    const whole = this.ofPlainText(pieces.join(''));
    let at = 0;
    return this.ofJson(json, (value, place) => {
      if (place.key !== key) {
        return undefined;
      }
      at += value.length;
      return whole.slice(at - value.length, at);
    });
  }

  /** The twin of JSON lines. An invalid line is a plain text. */
  ofLines(text: string): string {
    const lines = text.split('\n');
    const events = lines.map(line => parseJson(line));
    if (events.some(event => pieceGroup(event, 0) !== undefined)) {
      let start = 0;
      const data = lines.flatMap((line, index) => {
        const end = start + line.length;
        const event = { value: events[index], start, end };
        start = end + 1;
        return event.value === undefined ? [] : [event];
      });
      return this.ofEvents(text, data, 0);
    }
    return lines
      .map((line, index) => (events[index] === undefined ? this.ofPlainText(line) : this.ofJson(line)))
      .join('\n');
  }

  /** The twin of a text in a column of a database. */
  ofColumn(value: string, column: string): string {
    return /^\s*[[{]/.test(value) && parseJson(value) !== undefined
      ? this.ofJson(value)
      : this.ofString(value, { key: column, outer: '', isInput: false });
  }

  private ofKey(key: string): string {
    if (this.kept.isKeptKey(key)) {
      return key;
    }
    this.counts.names += this.isLearning ? 0 : 1;
    const counted = this.counts.texts;
    const twin = this.ofPlainText(key);
    this.counts.texts = counted;
    return twin;
  }

  private ofNumber(number: string, { key, isInput }: JsonPlace): string {
    const isAttribute = attributeValue.test(key);
    if (this.isLearning || isKeptNumber(number, isAttribute ? this.attributeKey : key, isInput)) {
      this.counts.kept += this.isLearning ? 0 : 1;
      return number;
    }
    this.counts.numbers += 1;
    return this.numbers.jsonTwin(number);
  }

  private ofString(value: string, place: JsonPlace): string {
    const key = attributeValue.test(place.key)
      ? this.attributeKey
      : place.key === 'id' && /model/i.test(place.outer)
        ? 'model'
        : place.key;
    if (value === '' || this.kept.isKeptValue(value, key)) {
      this.counts.kept += this.isLearning ? 0 : 1;
      this.attributeKey = key === 'key' ? value : this.attributeKey;
      return value;
    }
    this.attributeKey = key === 'key' ? '' : this.attributeKey;
    const start = value.startsWith('data:') ? (parseDataUrl(value)?.start ?? 0) : 0;
    const data = start === 0 ? value : value.slice(start);
    if (isImage(data)) {
      return this.isLearning ? value : value.slice(0, start) + this.ofImage(data);
    }
    const isBody = value.length >= shortestBody && value.length % 4 === 0 && bodyForm.test(value);
    const body = isBody ? decodeBase64(value) : undefined;
    if (body?.includes('\uFFFD') === false && (/^\s*[[{]/.test(body) || streamKindOf(body) !== undefined)) {
      return base64(encoder.encode(this.ofText(body)));
    }
    return this.ofText(value);
  }

  /** The twin of an image. Equal images get equal twins. */
  private ofImage(data: string): string {
    this.counts.images += 1;
    const hash = sha256Hex(`${this.key} ${data}`);
    const key = Uint32Array.from([0, 8, 16], from => parseInt(hash.slice(from, from + 8), 16));
    return imageTwin(data, new RandomNumbers(key));
  }

  /**
   * The twin of an event stream, which splits texts into pieces anywhere. The pieces of one text are replaced as a
   * whole and split again.
   * @param before number of characters before the JSON of each event
   */
  ofEvents(text: string, events: readonly StreamEventData[], before: number): string {
    const groups = new Map<string, string[]>();
    let stream = 0;
    const keys = events.map(event => {
      stream += startsStream(event.value) ? 1 : 0;
      return pieceGroup(event.value, stream);
    });
    const jsonOf = ({ start, end }: StreamEventData): string => text.slice(start + before, end);
    const eachPiece = (place: JsonPlace, group: string | undefined): string | undefined =>
      group !== undefined && pieceKeys.has(place.key) ? `${group} ${place.key}` : undefined;
    events.forEach((event, index) => {
      this.scan(jsonOf(event), (value, place) => {
        const group = eachPiece(place, keys[index]);
        if (group !== undefined) {
          const pieces = groups.get(group);
          if (pieces === undefined) {
            groups.set(group, [value]);
          } else {
            pieces.push(value);
          }
        }
      });
    });
    const wholes = new Map(
      Array.from(groups, ([group, pieces]) => [group, { text: this.ofPlainText(pieces.join('')), at: 0 }]),
    );
    const output: string[] = [];
    let copied = 0;
    events.forEach((event, index) => {
      const start = event.start + before;
      output.push(this.ofPlainText(text.slice(copied, start)));
      output.push(
        this.ofJson(jsonOf(event), (value, place) => {
          const whole = wholes.get(eachPiece(place, keys[index]) ?? '');
          if (whole === undefined) {
            return undefined;
          }
          const piece = whole.text.slice(whole.at, whole.at + value.length);
          whole.at += value.length;
          return piece;
        }),
      );
      copied = event.end;
    });
    output.push(this.ofPlainText(text.slice(copied)));
    return output.join('');
  }

  private scan(json: string, visit: (value: string, place: JsonPlace) => void): void {
    mapJson(json, {
      key: key => key,
      string: (value, place) => {
        visit(value, place);
        return value;
      },
      number: number => number,
    });
  }
}

function startsStream(event: unknown): boolean {
  const type = stringAt(event, 'type');
  return type === 'message_start' || type === 'response.created';
}

/** The text that an event's piece belongs to; undefined if the event has whole values. */
function pieceGroup(event: unknown, stream: number): string | undefined {
  const type = stringAt(event, 'type') ?? '';
  const index = (key: string): string => String(numberAt(event, key) ?? '');
  if (type === 'content_block_delta' || type.endsWith('.delta')) {
    return `${stream} ${index('index')} ${index('output_index')} ${index('content_index')} ${type}`;
  }
  const chunk = objectAt(event, 'response') ?? event;
  const choices = member(chunk, 'choices');
  const delta = isArray(choices) ? objectAt(choices[0], 'delta') : undefined;
  const calls = member(delta, 'tool_calls');
  const id = stringAt(chunk, 'id') ?? stringAt(chunk, 'responseId') ?? '';
  if (isObject(delta)) {
    return `${stream} ${id} ${isArray(calls) ? (numberAt(calls[0], 'index') ?? 0) : ''}`;
  }
  return isArray(member(chunk, 'candidates')) ? `${stream} ${id} candidate` : undefined;
}
