import { iconOfBlock } from '../../../src/core/drawing/icons';
import { type Source, sources } from '../../../src/core/model/source';
import type { WasteKind } from '../../../src/core/waste/wasteKinds';

/**
 * The icon of a kind of waste.
 * @param detail of unused results, their source
 */
export function iconOfWaste(kind: WasteKind, detail: string): string {
  switch (kind) {
    case 'unusedServer':
      return iconOfSource('mcp');
    case 'unusedTools':
      return iconOfSource('tools');
    case 'readAgain':
    case 'staleReading':
      return iconOfSource('files');
    case 'unusedResult':
      return iconOfSource(sources.find(source => source === detail) ?? 'tools');
    case 'image':
    case 'snapshot':
      return iconOfBlock('image', 'tools');
    case 'repeatedInstructions':
      return iconOfSource('memory');
    case 'noisyOutput':
      return iconOfSource('shell');
  }
}

const iconOfSource = (source: Source): string => iconOfBlock('toolResult', source);
