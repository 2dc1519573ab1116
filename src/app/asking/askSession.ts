import type { CountedRequest } from '../../backend/countBlocks';
import type * as BackendModule from '../../backend/main';
import type { ModelReply, PreparedRequest, SendControl } from '../../backend/modelTarget';
import { presetForModel } from '../../backend/providers';
import { formatNumber } from '../../core/base/format';
import { stringAt } from '../../core/base/json';
import { translate } from '../../core/base/translate';
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
import { callsOf, costOf, highestCost, type ModelFacts, outputOf, repeatedRead, sidesOf } from './askPlan';
import type { AskSettings } from '../settings/askSettings';
import type { Asker } from './asker';
import { describeAnyError } from '../../node/files/fileErrors';

/** The bundle that talks to models. */
type Backend = typeof BackendModule;

const askingIsOff = translate('Asking models is turned off here.');

/** The functions of the host that asking needs. */
export interface AskTools {
  post(news: AskNews): void;
  /** Asks the worker of the transcript. */
  readonly ask: AskWorker;
  settings(): AskSettings;
  modelFacts(model: string): ModelFacts;
  offer(): Promise<AskOffer>;
  /** Rejects with a sentence if the provider is unknown or its address is invalid. */
  asker(order: AskOrder, maximumOutput: number): Promise<Asker>;
  loadBackend(): Promise<Backend>;
  /** The key that was entered for this provider at this origin. */
  key(provider: string, origin: string): Promise<string | undefined>;
  /** Asks the user for a key for this origin; without one, for the origin in the settings. */
  setKey(provider: string, origin: string | undefined): Promise<void>;
  /** Appends a line to the replay file of this name and returns its path. */
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
 * The model requests of one editor. Only the plan shown last can be sent, once, when the user presses Send. A new page
 * gets all news about that plan again.
 */
export class AskSession {
  private history: AskNews[] = [];
  private lastPlan = 0;
  private planned: Planned | undefined;
  private running: AbortController | undefined;
  /** Counts preparations, so that the result of an outdated one is ignored. */
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
        // The key is for the address that the plan shows, even if the settings have changed since.
        await this.tools.setKey(
          message.provider,
          this.planned?.plan.order.provider === message.provider ? this.planned.asker.origin : undefined,
        );
        return this.keyMayBeThere();
      case 'openReplays':
        return this.tools.openReplays();
    }
  }

  /** Posts all news again, for a new page. */
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
      throw new Error(askingIsOff);
    }
    const model = asked.model.trim();
    if (model === '') {
      throw new Error(translate('The transcript does not name a model. Enter one.'));
    }
    const provider = asked.provider === '' ? presetForModel(model)?.id : asked.provider;
    if (provider === undefined) {
      throw new Error(translate('The provider of {0} is unknown. Choose one.', model));
    }
    const order: AskOrder = { ...asked, model, provider };
    if (order.form === 'question' && order.question.trim() === '') {
      throw new Error(translate('Enter a question.'));
    }
    const settings = this.tools.settings();
    const calls = callsOf(order);
    if (calls > settings.maximumCalls) {
      throw new Error(
        translate(
          '{0, plural, one {# request is} other {# requests are}} needed, but the setting allows only {1}.',
          calls,
          formatNumber(settings.maximumCalls),
        ),
      );
    }
    const outputTokens = outputOf(order.form, settings);
    const asker = await this.tools.asker(order, Math.max(1, outputTokens));
    const sides: PlannedSide[] = [];
    for (const side of sidesOf(order).sides) {
      sides.push(await this.plannedSide(order, asker, side, sides[0]));
    }
    const [largest] = [...sides].sort((first, second) => second.sent.tokens.value - first.sent.tokens.value);
    if (largest === undefined) {
      throw new Error(translate('Nothing to send.'));
    }
    const { tokens } = largest.sent;
    if (tokens.value > settings.maximumTokens) {
      throw new Error(
        translate(
          'The request has {0, plural, one {# token} other {# tokens}}, but the setting allows only {1}.',
          tokens.value,
          formatNumber(settings.maximumTokens),
        ),
      );
    }
    this.lastPlan += 1;
    const { destination, isLocal } = largest.prepared;
    return {
      asker,
      sides,
      plan: {
        plan: this.lastPlan,
        order,
        provider: asker.name,
        destination,
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
        lacksKey: asker.needsKey && (await this.keyFor(asker, order)) === undefined,
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
      order.form === 'question'
        ? asker.target.withQuestion(sent.conversation, order.question)
        : sent.conversation;
    const prepared = asker.prepare(conversation, { markEnd: order.form === 'probe' });
    // A probe sends the request twice: the second one asks for the differences from the first.
    const isAsked = order.form === 'probe' || (asksVerdict(order) && sent.replyBefore !== undefined);
    const before = order.form === 'probe' ? undefined : sent.replyBefore;
    return {
      side,
      sent: { ...sent, conversation },
      prepared: isAsked ? asker.target.withComparison(prepared, before) : prepared,
    };
  }

  private async keyFor({ origin }: Asker, { provider }: AskOrder): Promise<string | undefined> {
    return origin === undefined ? undefined : this.tools.key(provider, origin);
  }

  private async keyMayBeThere(): Promise<void> {
    const { planned } = this;
    if (
      planned?.plan.lacksKey === true &&
      (await this.keyFor(planned.asker, planned.plan.order)) !== undefined
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
    /** Reports nothing after a cancel. */
    const report = (news: AskNews): void => {
      if (this.running === control) {
        this.report(news);
      }
    };
    let sentence: string | undefined;
    let file: string | undefined;
    try {
      const { refusal } = await this.tools.offer();
      const apiKey = await this.keyFor(planned.asker, planned.plan.order);
      if (refusal !== undefined) {
        sentence = askingIsOff;
      } else if (planned.asker.needsKey && apiKey === undefined) {
        sentence = translate(
          'No API key is stored for {0} at {1}.',
          planned.asker.name,
          planned.plan.destination,
        );
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
    // The count replaces the recorded request's figure only if exactly that request was counted, with its own model.
    const isSame = sent.isAsRecorded && sent.recordedModel === order.model;
    const isTaken =
      isSame &&
      (await this.tools.ask({
        name: 'countedInput',
        params: { request: order.request, tokens: counted.tokens },
      }));
    shown(counted, isTaken);
  }

  /** @returns the file that contains the replays */
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
        const compared =
          order.form === 'probe' && other !== undefined
            ? asker.target.withComparison(prepared, stringAt(other.response, 'id'))
            : prepared;
        const reply = await asker.ask(
          { conversation: sent.conversation, prepared: compared },
          control,
          piece => report({ kind: 'piece', run: current, piece }),
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
    { parts, usage, diagnosis, firstPieceAfter, duration, error }: ModelReply,
    other: ModelReply | undefined,
  ): Promise<AskResult> {
    const { request, model, keepSecrets } = order;
    const isCompared = order.form === 'replay' || order.form === 'compare';
    const isWhole = error === undefined;
    return {
      usage,
      cost: usage === undefined ? undefined : costOf(this.tools.modelFacts(model), usage),
      diagnosis: diagnosis && { type: diagnosis.type, tokens: diagnosis.tokens ?? null },
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

/**
 * True if the answer should include the provider's verdict on the cache: when there is a prediction to compare with.
 */
function asksVerdict({ form }: AskOrder): boolean {
  return form === 'probe' || form === 'replay' || form === 'compare';
}

/** Errors of providers and of the worker are sentences already. */
function sentenceOf(error: unknown): string {
  return isAgentError(error) ? error.message : describeAnyError(error);
}
