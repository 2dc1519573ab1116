import { fillWords, legendWords as words, sensitivityWords } from '../../src/core/drawing/drawingWords';
import { usePalette } from '../drawing/theme';
import { useInspector, useViewState } from '../state/inspector';
import { modeWords } from '../words/page';
import { layoutWords } from '../words/views';
import { Sign } from './Sign';
import { Swatch } from './Swatch';

/** What the colours and signs of the drawing mean. */
export function Legend() {
  const palette = usePalette(useInspector().theme);
  const mode = useViewState('colourMode');
  return (
    <ul className="legend muted fine" aria-label={layoutWords.legend}>
      <li className="legend__title strong">{modeWords[mode]}</li>
      {fillWords[mode].map((name, index) => {
        const fill = palette.fills[mode][index];
        return (
          <li key={name} className="legend__entry">
            <Swatch label={name} colour={fill?.ground ?? ''} stroke={fill?.stroke} />
            {mode === 'sensitivity' && <Sign sensitivity={index} />}
          </li>
        );
      })}
      <li className="legend__entry legend__entry--first">
        <Swatch kind="frozen" label={words.frozen} />
      </li>
      <li className="legend__entry">
        <Swatch kind="hatched" label={words.candidate} />
      </li>
      <li className="legend__entry">
        <Swatch kind="dashed" label={words.notRecorded} />
      </li>
      <li className="legend__entry">
        <Swatch kind="corner" label={words.displaced} />
      </li>
      {mode !== 'sensitivity' && (
        <>
          <li className="legend__entry">
            <Sign sensitivity={1} /> {sensitivityWords.private}
          </li>
          <li className="legend__entry">
            <Sign sensitivity={2} /> {sensitivityWords.restricted}
          </li>
        </>
      )}
    </ul>
  );
}
