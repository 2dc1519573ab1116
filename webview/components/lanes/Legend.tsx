import {
  fillWords,
  legendWords as words,
  sensitivityWords,
  sourceTexts,
} from '../../../src/core/drawing/drawingWords';
import { sources } from '../../../src/core/model/source';
import { usePalette } from '../../drawing/theme';
import { useInspector, useViewState } from '../../state/inspector';
import { layoutWords } from '../../words/views';
import { Sign } from '../common/Sign';
import { Swatch } from '../common/Swatch';

/** The meaning of the drawing's colours and signs. */
export function Legend() {
  const palette = usePalette(useInspector().theme);
  const mode = useViewState('colourMode');
  return (
    <ul className="legend fine" aria-label={layoutWords.legend}>
      {fillWords[mode].map((name, index) => {
        const fill = palette.fills[mode][index];
        const source = mode === 'source' ? sources[index] : undefined;
        return source === 'notRecorded' ? undefined : (
          <li
            key={name}
            className="legend__entry"
            title={source === undefined ? undefined : sourceTexts[source]}
          >
            <Swatch label={name} colour={fill?.ground ?? ''} stroke={fill?.stroke} />
            {mode === 'sensitivity' && <Sign sensitivity={index} />}
          </li>
        );
      })}
      <li className="legend__entry">
        <Swatch kind="dashed" label={words.notRecorded} />
      </li>
      <li className="legend__entry">
        <Swatch kind="frozen" label={words.frozen} />
      </li>
      <li className="legend__entry">
        <Swatch kind="hatched" label={words.candidate} />
      </li>
      <li className="legend__entry">
        <Swatch kind="corner" label={words.displaced} />
      </li>
      {mode !== 'sensitivity' &&
        [1, 2].map(sensitivity => (
          <li key={sensitivity} className="legend__entry">
            <Sign sensitivity={sensitivity} />{' '}
            {sensitivity === 1 ? sensitivityWords.private : sensitivityWords.restricted}
          </li>
        ))}
    </ul>
  );
}
