import { groupBy } from '../../base/groupBy';
import { arrayAt, isArray, isObject, member, millisecondsAt, stringAt } from '../../base/json';
import { below, type Place, sourceOf } from '../../content/place';
import type { TranscriptBuilder } from '../../content/transcriptBuilder';
import type { SourceRange } from '../../model/block';
import type { DocumentFormat, LineFormat } from '../../reading/format';
import { mostAre } from '../common/mostAre';
import { Thread } from '../common/thread';
import { type Attributes, attributesOf } from './otlpAttributes';
import { type ModelSpan, readModelSpan } from './otlpMessages';

/** OpenTelemetry traces in JSON. Every span of a model call is a request; every trace is a conversation. */
export const otlp: DocumentFormat = {
  kind: 'document',
  id: 'otlp',
  name: 'OpenTelemetry traces',
  matches: document =>
    isArray(document) ? document.length > 0 && document.every(isExport) : isExport(document),
  read(record, locate, builder) {
    const root: Place = { record: record.range, path: [], locate };
    const reader = new TraceReader(builder);
    if (isArray(record.value)) {
      record.value.forEach((part, index) => {
        reader.push(part, below(root, index));
      });
    } else {
      reader.push(record.value, root);
    }
    reader.finish();
  },
};

/** The same, one export per line, as the collector's file exporter writes them. */
export const otlpLines: LineFormat = {
  kind: 'lines',
  id: 'otlp-lines',
  name: 'OpenTelemetry traces, one export per line',
  matches: records => mostAre(records, isExport),
  open(builder) {
    const reader = new TraceReader(builder);
    return {
      push: ({ value, range }) => {
        reader.push(value, { record: range, path: [] });
      },
      end: () => reader.finish(),
      resume: () => false,
    };
  },
};

const listKeys = ['resourceSpans', 'batches'];

function isExport(value: unknown): boolean {
  return listKeys.some(key => isArray(member(value, key)) && arrayAt(value, key).every(isObject));
}

interface Span {
  readonly source: SourceRange;
  readonly trace: string;
  readonly id: string;
  readonly parent: string | undefined;
  readonly name: string;
  readonly scope: string;
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Attributes;
  readonly model: ModelSpan | undefined;
}

/**
 * Reads the spans of a trace. Spans are recorded in the order in which they end; they are collected first, then read in
 * the order of their starts.
 */
class TraceReader {
  private readonly spans: Span[] = [];

  constructor(private readonly builder: TranscriptBuilder) {}

  push(value: unknown, place: Place): void {
    const key = listKeys.find(name => isArray(member(value, name)));
    if (key === undefined) {
      this.builder.addProblem('unknownRecord', sourceOf(place).line);
      return;
    }
    arrayAt(value, key).forEach((resource, index) => {
      const scopesKey = isArray(member(resource, 'scopeSpans'))
        ? 'scopeSpans'
        : 'instrumentationLibrarySpans';
      const at = below(place, key, index);
      const names = attributesOf(arrayAt(member(resource, 'resource'), 'attributes'), at);
      const service = names.string('service.name') ?? '';
      // OpenTelemetry's name for a service without one.
      this.builder.agentName ||= service.startsWith('unknown_service') ? '' : service;
      arrayAt(resource, scopesKey).forEach((scope, scopeIndex) => {
        const scopeName = stringAt(member(scope, 'scope'), 'name') ?? '';
        arrayAt(scope, 'spans').forEach((span, spanIndex) => {
          this.spans.push(readSpan(span, below(at, scopesKey, scopeIndex, 'spans', spanIndex), scopeName));
        });
      });
    });
  }

  finish(): void {
    const { builder } = this;
    builder.agentName ||= 'OpenTelemetry';
    const kept = this.modelCalls();
    const timelines = new Map<string, Thread>();
    for (const span of [...this.spans].sort((first, second) => first.start - second.start)) {
      const { model } = span;
      if (model === undefined || !kept.has(span)) {
        builder.leaveOut(
          model === undefined
            ? `${kindOf(span.attributes)} span`
            : 'span of a call that another span records',
          span.source,
        );
        continue;
      }
      let timeline = timelines.get(span.trace);
      if (timeline === undefined) {
        timeline = new Thread(builder, timelines.size);
        timelines.set(span.trace, timeline);
      }
      this.addRequest(span, model, timeline);
    }
    if (timelines.size < 2) {
      builder.conversations.length = 0;
    }
    builder.title ??= builder.firstPrompt;
  }

  private addRequest(span: Span, model: ModelSpan, timeline: Thread): void {
    const { builder } = this;
    const { input, reply, complete } = model.read(timeline.calls);
    if (builder.conversations.length === timeline.thread) {
      const prompt = input.flatMap(({ blocks }) => blocks).find(({ kind }) => kind === 'prompt');
      builder.conversations.push({ thread: timeline.thread, title: prompt?.label ?? span.name });
    }
    if (input.length === 0) {
      builder.addProblem('missingRequestContent', span.source.line);
    }
    timeline.addRequest(input, reply, {
      complete,
      line: span.source.line,
      id: span.id === '' ? undefined : span.id,
      timestamp: span.start === 0 ? undefined : span.start,
      model: model.name,
      usage: model.usage,
    });
  }

  /**
   * The spans of model calls, each call once. A span above another span that records a call only frames that call.
   * Also, two instrumentations of one program may record the same call; then one span encloses the other in time.
   */
  private modelCalls(): ReadonlySet<Span> {
    const calls = this.spans.filter(({ model }) => model !== undefined);
    const byId = new Map(this.spans.map(span => [span.id, span]));
    const frames = new Set<string>();
    for (const call of calls) {
      for (let id = call.parent, depth = 0; id !== undefined && depth < 100; depth += 1) {
        frames.add(id);
        id = byId.get(id)?.parent;
      }
    }
    const inner = calls.filter(({ id }) => !frames.has(id));
    const alike = groupBy(inner, ({ trace, model }) => `${model?.messages ?? ''} ${trace}`);
    return new Set([...alike.values()].flatMap(withoutFrames));
  }
}

/**
 * From calls with the same number of messages in one trace, keeps those that do not enclose a call of another scope.
 */
function withoutFrames(calls: readonly Span[]): readonly Span[] {
  const byStart = [...calls].sort((first, second) => first.start - second.start);
  let next = 0;
  return byStart.filter(outer => {
    while ((byStart[next]?.start ?? Infinity) < outer.start) {
      next += 1;
    }
    for (let index = next; (byStart[index]?.start ?? Infinity) <= outer.end; index += 1) {
      const other = byStart[index];
      if (other !== undefined && other.scope !== outer.scope && other.end <= outer.end) {
        return false;
      }
    }
    return true;
  });
}

function readSpan(value: unknown, place: Place, scope: string): Span {
  const attributes = attributesOf(arrayAt(value, 'attributes'), below(place, 'attributes'));
  const parent = stringAt(value, 'parentSpanId') ?? '';
  return {
    source: sourceOf(place),
    trace: stringAt(value, 'traceId') ?? '',
    id: stringAt(value, 'spanId') ?? '',
    parent: parent === '' ? undefined : parent,
    name: stringAt(value, 'name') ?? 'trace',
    scope,
    start: nanoseconds(member(value, 'startTimeUnixNano')),
    end: nanoseconds(member(value, 'endTimeUnixNano')),
    attributes,
    model: readModelSpan(attributes, arrayAt(value, 'events'), below(place, 'events')),
  };
}

/** Milliseconds of a time in nanoseconds, which OTLP writes as a string; 0 if there is none. */
function nanoseconds(value: unknown): number {
  const time = typeof value === 'string' || typeof value === 'number' ? Number(value) / 1e6 : 0;
  return millisecondsAt({ time: Math.round(time * 1000) / 1000 }, 'time') ?? 0;
}

function kindOf(attributes: Attributes): string {
  return (
    attributes.string('openinference.span.kind', 'gen_ai.operation.name', 'traceloop.span.kind') ?? 'other'
  );
}
