import { withQuestion } from '../../backend/contextZones';
import type { CountedRequest } from '../../backend/countBlocks';
import type * as BackendModule from '../../backend/main';
import type { ModelReply, PreparedRequest, SendControl } from '../../backend/modelTarget';
import { presetForModel } from '../../backend/providers';
import { formatNumber } from '../../core/base/format';
import { isAgentError } from '../../core/model/contextBackend';
import type { RecordedUsage } from '../../core/model/transcript';
import { compareReplies } from '../../core/sending/compareReplies';
import type {
  AskMessage,
  AskNews,
  AskOffer,
  AskOrder,
  AskPlan,
  AskResult,
  AskSide,
} from '../../protocol/askMessages';
import type { AskWorker, SentRequest } from '../../protocol/workerQuestions';
import { type ModelFacts, callsOf, costOf, highestCost, outputOf, repeatedRead, sidesOf } from './askPlan';
import type { AskSettings } from './askSettings';
import type { Asker } from './asker';

/** The bundle that talks to models. */
type Backend = typeof BackendModule;

/** What asking needs of the rest of the host. */
export interface AskTools {
  post(news: AskNews): void;
  /** Asks the worker of the transcript. */
  readonly ask: AskWorker;
  settings(): AskSettings;
  modelFacts(model: string): ModelFacts;
  offer(): Promise<AskOffer>;
  /** Rejects with a sentence where the provider is not known or its address is none. */
  asker(order: AskOrder, maximumOutput: number): Promise<Asker>;
  loadBackend(): Promise<Backend>;
  key(provider: string): Promise<string | undefined>;
  /** Asks the user for a key. */
  setKey(provider: string): Promise<void>;
  /** Adds a line to a replay file of this name, and gives its path. */
  keep(name: string, line: string): Promise<string>;
  openReplays(): Promise<void>;
}

/** One request that a plan sends. */
interface PlannedSide {
  readonly side: AskSide;
  readonly sent: SentRequest;
  readonly prepared: PreparedRequest;
}

interface Planned {
  readonly plan: AskPlan;
  readonly asker: Asker;
  readonly sides: readonly PlannedSide[];
}

/**
 * What one editor asks of models. Nothing is sent but the plan that was shown last, once, when the user says so. A page that
 * is made again gets everything since then.
 */
export class AskSession {
  private history: AskNews[] = [];
  private lastPlan = 0;
  private planned: Planned | undefined;
  private running: AbortController | undefined;
  /** Grows with every preparing: an earlier one that is through later is of no interest. */
  private preparing = 0;

  constructor(private readonly tools: AskTools) {}

  async handle(message: AskMessage): Promise<void> {
    switch (message.kind) {
      case 'prepare':
        return this.prepare(message.order);
      case 'send':
        return this.send(message.plan);
      case 'cancel':
        this.cancel();
        return;
      case 'setKey':
        await this.tools.setKey(message.provider);
        return this.keyMayBeThere();
      case 'openReplays':
        return this.tools.openReplays();
    }
  }

  /** Posts everything that has happened once more, for a page that has nothing yet. */
  postAgain(): void {
    this.history.forEach(news => this.tools.post(news));
  }

  dispose(): void {
    this.running?.abort();
    this.running = undefined;
    this.planned = undefined;
    this.preparing += 1;
  }

  private report(news: AskNews): void {
    const last = this.history.at(-1);
    if (
      news.kind === 'piece' &&
      last?.kind === 'piece' &&
      last.run === news.run &&
      last.piece.kind === news.piece.kind
    ) {
      const text = last.piece.text + news.piece.text;
      this.history[this.history.length - 1] = { ...news, piece: { ...news.piece, text } };
    } else {
      this.history.push(news);
    }
    this.tools.post(news);
  }

  private async prepare(order: AskOrder): Promise<void> {
    if (this.running !== undefined) {
      return;
    }
    this.preparing += 1;
    const number = this.preparing;
    this.planned = undefined;
    this.history = [];
    this.report({ kind: 'preparing', order });
    let planned: Planned;
    try {
      planned = await this.plan(order);
    } catch (error) {
      if (number === this.preparing) {
        this.report({ kind: 'ended', sentence: sentenceOf(error) });
      }
      return;
    }
    if (number === this.preparing) {
      this.planned = planned;
      this.report({ kind: 'plan', plan: planned.plan });
    }
  }

  /** Prepares everything and sends nothing. */
  private async plan(asked: AskOrder): Promise<Planned> {
    const { refusal } = await this.tools.offer();
    if (refusal !== undefined) {
      throw new Error('Asking models is off here.');
    }
    const model = asked.model.trim();
    if (model === '') {
      throw new Error('The transcript names no model; name one.');
    }
    const provider = asked.provider === '' ? presetForModel(model)?.id : asked.provider;
    if (provider === undefined) {
      throw new Error(`Who runs ${model} is not known; choose a provider.`);
    }
    const order: AskOrder = { ...asked, model, provider };
    if (order.form === 'question' && order.question.trim() === '') {
      throw new Error('Write a question first.');
    }
    const settings = this.tools.settings();
    const calls = callsOf(order);
    if (calls > settings.maximumCalls) {
      throw new Error(`${calls} requests are more than the setting allows (${settings.maximumCalls}).`);
    }
    const outputTokens = outputOf(order.form, settings);
    const asker = await this.tools.asker(order, Math.max(1, outputTokens));
    const sides: PlannedSide[] = [];
    for (const side of sidesOf(order).sides) {
      sides.push(await this.plannedSide(order, asker, side, sides[0]));
    }
    const [largest] = [...sides].sort((first, second) => second.sent.tokens.value - first.sent.tokens.value);
    if (largest === undefined) {
      throw new Error('There is nothing to send.');
    }
    const { tokens } = largest.sent;
    if (tokens.value > settings.maximumTokens) {
      throw new Error(
        `The request has ${formatNumber(tokens.value)} tokens; the setting allows ${formatNumber(settings.maximumTokens)}.`,
      );
    }
    this.lastPlan += 1;
    const { host, isLocal } = largest.prepared;
    return {
      asker,
      sides,
      plan: {
        plan: this.lastPlan,
        order,
        provider: asker.name,
        host,
        isLocal,
        calls,
        bytes: Math.max(...sides.map(({ prepared }) => prepared.bytes)),
        tokens,
        outputTokens,
        cost: highestCost(this.tools.modelFacts(model), calls, tokens.value, outputTokens),
        notes: [
          ...new Set(sides.flatMap(({ prepared }) => prepared.notes)),
          ...(await asker.target.sizeNotes(largest.sent.conversation)),
        ],
        lacksKey: asker.needsKey && (await this.tools.key(order.provider)) === undefined,
      },
    };
  }

  private async plannedSide(
    order: AskOrder,
    asker: Asker,
    side: AskSide,
    first: PlannedSide | undefined,
  ): Promise<PlannedSide> {
    if (side === 'second' && first !== undefined) {
      return { ...first, side };
    }
    const { request, keepSecrets } = order;
    const prune = side === 'recorded' ? undefined : order.prune;
    const sent = await this.tools.ask({
      name: 'sentRequest',
      params: { request, prune, keepSecrets },
    });
    const conversation =
      order.form === 'question' ? withQuestion(sent.conversation, order.question) : sent.conversation;
    return {
      side,
      sent: { ...sent, conversation },
      prepared: asker.prepare(conversation, { markEnd: order.form === 'probe' }),
    };
  }

  private async keyMayBeThere(): Promise<void> {
    const { planned } = this;
    if (
      planned?.plan.lacksKey === true &&
      (await this.tools.key(planned.plan.order.provider)) !== undefined
    ) {
      this.planned = { ...planned, plan: { ...planned.plan, lacksKey: false } };
      this.report({ kind: 'plan', plan: this.planned.plan });
    }
  }

  private cancel(): void {
    const isRunning = this.running !== undefined;
    this.dispose();
    this.report({ kind: 'ended', isCancelled: isRunning });
  }

  private async send(number: number): Promise<void> {
    const { planned } = this;
    if (planned?.plan.plan !== number || this.running !== undefined) {
      return;
    }
    this.planned = undefined;
    const control = new AbortController();
    this.running = control;
    this.report({ kind: 'running', plan: planned.plan });
    /** After a cancel nothing more is reported. */
    const report = (news: AskNews): void => {
      if (this.running === control) {
        this.report(news);
      }
    };
    let sentence: string | undefined;
    let file: string | undefined;
    try {
      const { refusal } = await this.tools.offer();
      const apiKey = await this.tools.key(planned.plan.order.provider);
      if (refusal !== undefined) {
        sentence = 'Asking models is off here.';
      } else if (planned.asker.needsKey && apiKey === undefined) {
        sentence = `No key is kept for ${planned.asker.name}.`;
      } else if (!control.signal.aborted) {
        const given = { apiKey, signal: control.signal };
        if (planned.plan.order.form === 'count') {
          await this.count(planned, given, report);
        } else {
          file = await this.askAll(planned, given, report);
        }
      }
    } catch (error) {
      sentence = sentenceOf(error);
    }
    report({ kind: 'ended', sentence, file });
    if (this.running === control) {
      this.running = undefined;
    }
  }

  private async count(
    { plan, asker, sides: [side] }: Planned,
    control: SendControl,
    report: (news: AskNews) => void,
  ): Promise<void> {
    if (side === undefined) {
      return;
    }
    const { sent } = side;
    const { order } = plan;
    const { countBlocks } = await this.tools.loadBackend();
    const shown = (counted: CountedRequest, isTaken: boolean): void =>
      report({
        kind: 'counted',
        count: {
          tokens: counted.tokens,
          calls: counted.calls,
          isTaken,
          parts: counted.parts.flatMap(({ blocks: [block], tokens }) =>
            block === undefined ? [] : [{ block, tokens }],
          ),
        },
      });
    const counted = await countBlocks(
      asker.target,
      sent.conversation,
      sent.order,
      order.times,
      control,
      now => {
        shown(now, false);
      },
    );
    // A count speaks for the recorded request alone if this is what was counted, by its own model's provider.
    const isSame = sent.isAsRecorded && sent.recordedModel === order.model;
    const isTaken =
      isSame &&
      (await this.tools.ask({
        name: 'countedInput',
        params: { request: order.request, tokens: counted.tokens },
      }));
    shown(counted, isTaken);
  }

  /** @returns the file that the replays are kept in */
  private async askAll(
    { plan, asker, sides }: Planned,
    control: SendControl,
    report: (news: AskNews) => void,
  ): Promise<string | undefined> {
    const { order } = plan;
    const { rounds } = sidesOf(order);
    const name = `${new Date().toISOString().replaceAll(':', '-')} ${order.model.replaceAll(/[^\w.-]+/g, '-')}.jsonl`;
    const isKept = order.form === 'replay' || order.form === 'compare';
    const usages = new Map<PreparedRequest, RecordedUsage>();
    let file: string | undefined;
    let run = 0;
    for (let round = 0; round < rounds; round += 1) {
      let other: ModelReply | undefined;
      for (const { side, sent, prepared } of sides) {
        const current = run;
        run += 1;
        report({ kind: 'began', run: current, of: rounds * sides.length, side });
        const sentAt = new Date();
        const reply = await asker.ask({ conversation: sent.conversation, prepared }, control, piece =>
          report({ kind: 'piece', run: current, piece }),
        );
        if (isKept && reply.response !== undefined) {
          const { replayLine } = await this.tools.loadBackend();
          file = await this.tools.keep(name, replayLine(prepared, reply, sentAt));
        }
        const before = usages.get(prepared);
        const predictedRead =
          before !== undefined
            ? repeatedRead(this.tools.modelFacts(order.model), before)
            : order.form === 'probe' || order.form === 'question'
              ? undefined
              : sent.predictedRead;
        report({
          kind: 'replied',
          run: current,
          result: {
            ...(await this.result(order, reply, other)),
            predictedRead,
          },
        });
        if (reply.error !== undefined || control.signal?.aborted === true) {
          return file;
        }
        if (reply.usage !== undefined) {
          usages.set(prepared, reply.usage);
        }
        other = reply;
      }
    }
    return file;
  }

  private async result(
    order: AskOrder,
    { parts, usage, firstPieceAfter, duration, error }: ModelReply,
    other: ModelReply | undefined,
  ): Promise<AskResult> {
    const { request, model, keepSecrets } = order;
    const isCompared = order.form === 'replay' || order.form === 'compare';
    const isWhole = error === undefined;
    return {
      usage,
      cost: usage === undefined ? undefined : costOf(this.tools.modelFacts(model), usage),
      firstPieceAfter,
      duration,
      sentence: error?.message,
      comparison:
        isCompared && isWhole
          ? await this.tools.ask({ name: 'compareReply', params: { request, parts, keepSecrets } })
          : undefined,
      isSameAsOther:
        order.form === 'compare' && other !== undefined && isWhole
          ? compareReplies(other.parts, parts).isSameAction
          : undefined,
    };
  }
}

/** Errors of providers and of the worker are sentences already. */
function sentenceOf(error: unknown): string {
  return isAgentError(error) || error instanceof Error ? error.message : String(error);
}
