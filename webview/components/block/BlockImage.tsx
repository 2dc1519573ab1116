import { useCallback } from 'react';
import type { BlockImage as Picture } from '../../../src/core/session/blockImage';
import { useAnswer } from '../../state/useAnswer';
import { textWords as words } from '../../words/details';
import { Answered } from '../common/Answered';

/** A picture stored in the transcript. It is never loaded from elsewhere. */
export function BlockImage({ block }: { readonly block: number }) {
  const { answer } = useAnswer({ name: 'blockImage', params: { block } }, { pause: 0 });
  return (
    <div className="picture" data-testid="block-image">
      <Answered answer={answer} waiting={words.imageLoading}>
        {picture => <Shown picture={picture} />}
      </Answered>
    </div>
  );
}

function Shown({ picture: { mediaType, data, width, height } }: { readonly picture: Picture }) {
  // The page's policy allows only pictures that the page itself made from bytes, and none with an address.
  const show = useCallback(
    (image: HTMLImageElement | null) => {
      if (image === null) {
        return undefined;
      }
      const bytes = Uint8Array.from(atob(data.replace(/\s/g, '')), character => character.charCodeAt(0));
      const address = URL.createObjectURL(new Blob([bytes], { type: mediaType }));
      image.src = address;
      return () => URL.revokeObjectURL(address);
    },
    [data, mediaType],
  );
  return (
    <figure className="picture__figure stack gap-4">
      <img ref={show} className="picture__image" alt={words.image(width, height)} />
      <figcaption className="muted small">{words.image(width, height)}</figcaption>
    </figure>
  );
}
