import { entryOf } from '../base/entryOf';
import { jsonTokens, unquoted } from '../base/jsonTokens';
import { firstWhere } from '../base/numbers';
import { isJsonText } from '../sensitivity/jsonFindings';
import { KnownSecrets } from '../sensitivity/knownSecrets';
import type { MaskedRange } from '../sensitivity/maskText';
import { byLabel } from '../sensitivity/scanTexts';
import type { TranscriptSession } from '../session/transcriptSession';
import type { SecretPlace, SensitiveItem } from './sensitiveItem';

interface Item extends Pick<MaskedRange, 'rule' | 'label'> {
  readonly places: Map<string, SecretPlace>;
}

/**
 * The secrets and personal data in the blocks of a session, secrets first. A finding in one block is recognised by its
 * text in all others, as in everything that leaves the program, so it is one entry for all its places. Short secrets
 * and personal data are equal if rule and text are equal. Reads the blocks with findings. If there are secrets, also
 * reads the other blocks, once for each content. The session must be scanned.
 */
export async function sensitiveItemsIn(session: TranscriptSession): Promise<readonly SensitiveItem[]> {
  const { blocks } = session.toSession().columns;
  /** By the first of the blocks with the same content, so that each text is searched once. */
  const copies = new Map<number, number[]>();
  blocks.content.forEach((content, block) => {
    if (!session.isImage(block)) {
      entryOf(copies, content, (): number[] => []).push(block);
    }
  });
  const hasFindings = (content: number): boolean => (blocks.findings[content] ?? 0) > 0;
  const contents = [...copies.keys()];
  const search = new ItemSearch();
  for await (const { block, text } of session.textsOf(contents.filter(hasFindings))) {
    search.learn(block, text, await session.findingsIn(text));
  }
  if (search.known.size > 0) {
    for await (const { block, text } of session.textsOf(contents)) {
      search.look(block, text);
    }
  }
  const gate = session.openGate({ takesOut: 'everything sensitive', remembers: true, known: search.known });
  const found: SensitiveItem[] = [];
  for (const { rule, label, places } of search.items()) {
    const masked: SecretPlace[] = [];
    for (const place of places.values()) {
      const names = place.member === undefined ? {} : { member: await gate.text(place.member) };
      masked.push(...(copies.get(place.block) ?? []).map(block => ({ ...place, ...names, block })));
    }
    found.push({ rule, label, places: masked.sort((one, other) => one.block - other.block) });
  }
  return found.sort(
    (one, other) => byLabel(one, other) || (one.places[0]?.block ?? 0) - (other.places[0]?.block ?? 0),
  );
}

/** Groups the findings of texts by secret. */
class ItemSearch {
  readonly known = new KnownSecrets();
  /** By the number of a known secret, or by rule and text. */
  private readonly byKey = new Map<number | string, Item>();
  /** The found texts of each known secret, so that a secret inside another one is recognised as the same. */
  private readonly texts = new Map<string, number>();

  learn(block: number, text: string, findings: readonly MaskedRange[]): void {
    const memberAt = membersOf(text);
    for (const { rule, label, start, end } of findings) {
      const found = text.slice(start, end);
      const secret = label === 'restricted' ? this.known.add(found, rule) : undefined;
      if (secret !== undefined) {
        this.texts.set(found, secret);
      }
      this.note(secret ?? `${rule}\n${found}`, { rule, label }, { block, ...memberAt(end) });
    }
  }

  /** Notes the known secrets of a text, also those that no rule finds. */
  look(block: number, text: string): void {
    const places = this.known.find(text);
    if (places.length > 0) {
      const memberAt = membersOf(text);
      for (const { secret, rule, end } of places) {
        this.note(secret, { rule, label: 'restricted' }, { block, ...memberAt(end) });
      }
    }
  }

  /** All noted items. A secret inside another one is the same item. */
  items(): Iterable<Item> {
    const same = new Map<number, number>();
    const root = (secret: number): number => {
      let found = secret;
      for (let next = same.get(found); next !== undefined; next = same.get(found)) {
        // Halves the way for the next search.
        same.set(found, same.get(next) ?? next);
        found = next;
      }
      return found;
    };
    for (const [text, secret] of this.texts) {
      for (const inner of this.known.find(text.slice(1))) {
        if (root(inner.secret) !== root(secret)) {
          same.set(root(inner.secret), root(secret));
        }
      }
    }
    for (const secret of same.keys()) {
      const kept = this.byKey.get(root(secret));
      this.byKey.get(secret)?.places.forEach((place, key) => kept?.places.set(key, place));
      this.byKey.delete(secret);
    }
    return this.byKey.values();
  }

  private note(
    key: number | string,
    { rule, label }: Pick<MaskedRange, 'rule' | 'label'>,
    place: SecretPlace,
  ): void {
    const { places } = entryOf(this.byKey, key, () => ({
      rule,
      label,
      places: new Map<string, SecretPlace>(),
    }));
    entryOf(places, `${place.block} ${place.isName ? 1 : 0} ${place.member ?? ''}`, () => place);
  }
}

/** Returns a function that finds the JSON member at the end of a finding in a text. */
function membersOf(text: string): (end: number) => Omit<SecretPlace, 'block'> {
  const tokens = isJsonText(text) ? jsonTokens(text) : [];
  return end => {
    const token = tokens[firstWhere(0, tokens.length, index => (tokens[index]?.start ?? 0) >= end) - 1];
    const isName = token?.kind === 'name';
    const name = isName ? token : tokens[token?.name ?? -1];
    return { isName, ...(name === undefined ? {} : { member: unquoted(text.slice(name.start, name.end)) }) };
  };
}
