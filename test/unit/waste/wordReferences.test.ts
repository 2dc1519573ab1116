import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type TextRole, WordReferences } from '../../../src/core/waste/wordReferences';

/** The last uses of texts that are read one after the other, in one conversation by default. */
function lastUses(...texts: readonly (readonly [role: TextRole, text: string, conversation?: number])[]) {
  const references = new WordReferences(texts.length);
  texts.forEach(([role, text, conversation = 0], block) => {
    references.read(block, text, conversation, role);
  });
  return [...references.finish().last];
}

describe('word references', () => {
  it('take a rare word for a reference: with a digit, an underscore, capitals inside, a point, or long', () => {
    for (const word of ['shelf12', 'shop_key', 'bookShelf', 'cart.ts', 'bestseller']) {
      const uses = lastUses(['result', `There is ${word} in it.`], ['use', `I take ${word}.`]);
      assert.deepEqual(uses, [1, -1], word);
    }
  });

  it('take three plain words of a text for a reference, and not two', () => {
    const listing = ['result', 'green shelf under many stairs'] as const;
    assert.deepEqual(lastUses(listing, ['use', 'green shelf stairs'])[0], 1);
    assert.deepEqual(lastUses(listing, ['use', 'green stairs'])[0], -1);
  });

  it('look through line breaks in the arguments of a call, and past the names of members', () => {
    assert.equal(lastUses(['result', 'bookShelf'], ['call', '{"old":"\\n\\tbookShelf"}'])[0], 1);
    assert.equal(lastUses(['result', 'file_path'], ['call', '{"file_path":"a"}'])[0], -1);
  });

  it('keep conversations apart, and count what a text brings up', () => {
    assert.equal(lastUses(['result', 'bookShelf', 0], ['use', 'bookShelf', 1])[0], -1);
    const references = new WordReferences(2);
    references.read(0, 'alder birch alder', 0, 'result');
    references.read(1, 'birch cedar', 0, 'result');
    const { brought, held } = references.finish();
    assert.deepEqual([...brought], [2, 1]);
    assert.deepEqual([...held], [2, 2]);
  });

  it('say nothing by a word that many results hold, but of the newest', () => {
    const many = Array.from({ length: 20 }, () => ['result', 'bookShelf'] as const);
    const uses = lastUses(...many, ['use', 'bookShelf']);
    assert.deepEqual([uses[1], uses[19]], [-1, 20]);
  });

  it('take words of any script, and stay linear', () => {
    const japanese = '台帳の照合は月末に行う';
    assert.equal(lastUses(['result', japanese], ['use', japanese])[0], 1);
    assert.equal(lastUses(['result', 'größeneinheit'], ['use', 'größeneinheit'])[0], 1);
  });
});
