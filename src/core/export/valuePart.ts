import type { NamedValue, ValuePart } from '../sensitivity/gate';
import { keptWords } from './twin/keptNames';
import { isFixedMember, isIdMember, isNameMember } from './twin/keptParts';

/** Members whose value is encrypted or signed. A provider refuses it if it changes. */
const opaqueName =
  /signature$|^(?:data|encrypted_content|redactedData|reasoning_opaque|reasoningEncryptedContent)$/i;
/** Data and not words. */
const opaqueForm = /^[\w+/=-]{100,}$/;

/** The part that a value of a record plays in a transcript's format, judged as the twin judges what it keeps. */
export function valuePart({ kind, name, value }: NamedValue): ValuePart {
  switch (kind) {
    case 'name':
      return keptWords.has(value) ? 'structure' : 'name';
    case 'number':
      return keptWords.has(name) ? 'structure' : 'text';
    case 'string':
      return stringPart(name, value);
  }
}

function stringPart(name: string, value: string): ValuePart {
  if (isFixedMember(name, value) || (opaqueName.test(name) && opaqueForm.test(value))) {
    return 'structure';
  }
  if (isIdMember(name, value)) {
    return 'id';
  }
  return isNameMember(name, value) || name === 'required' ? 'name' : 'text';
}
