import { member, objectAt, stringAt } from '../base/json';
import { parseDataUrl } from './imageInfo';
import { below, type FoundText, partOfText, type Place, textOf } from './place';

/** An image, sound, video or file in a message. */
export interface Media {
  readonly isImage: boolean;
  /** Base64 (without the head of a data URL), an address, or the text of a document. */
  readonly data: FoundText;
  /** The data is base64, whose length says nothing about tokens. */
  readonly isEncoded: boolean;
  readonly mediaType?: string | undefined;
  readonly name?: string | undefined;
}

const imageTypes: ReadonlySet<string> = new Set(['image', 'image_url', 'input_image']);
const mediaTypes: ReadonlySet<string> = new Set([
  ...imageTypes,
  'audio',
  'input_audio',
  'video',
  'file',
  'input_file',
  'document',
  'blob',
  'uri',
]);

/** The possible paths of the data of an image, sound or file, in the order of the search. */
const dataPaths: readonly (readonly string[])[] = [
  ['image_url', 'url'],
  ['image_url'],
  ['source', 'data'],
  ['source', 'url'],
  ['input_audio', 'data'],
  ['file', 'file_data'],
  ['file_data'],
  ['file_url'],
  ['image'],
  ['audio'],
  ['video'],
  ['document'],
  ['data'],
  ['content'],
  ['file'],
  ['url'],
  ['uri'],
];

const mediaTypeKeys = ['mime_type', 'media_type', 'mediaType', 'mimeType', 'mime'];

/** The media of a content part in any dialect; `undefined` for other parts, and for media without data. */
export function mediaOf(part: unknown, place: Place): Media | undefined {
  const type = stringAt(part, 'type') ?? '';
  const path = mediaTypes.has(type)
    ? dataPaths.find(keys => typeof keys.reduce(member, part) === 'string')
    : undefined;
  if (path === undefined) {
    return undefined;
  }
  const source = objectAt(part, 'source');
  const sound = stringAt(objectAt(part, 'input_audio'), 'format');
  return mediaOfData(textOf(path.reduce(member, part), below(place, ...path)), {
    isImage: imageTypes.has(type) || stringAt(part, 'modality') === 'image',
    isText: stringAt(source, 'type') === 'text',
    mediaType:
      mediaTypeOf(part) ?? mediaTypeOf(source) ?? (sound === undefined ? undefined : `audio/${sound}`),
    name:
      stringAt(part, 'title') ??
      stringAt(part, 'filename') ??
      stringAt(objectAt(part, 'file'), 'filename') ??
      (mediaTypeOf(part) === undefined && mediaTypeOf(source) === undefined ? type : undefined),
  });
}

/** A media type of RFC 6838, which may be sent on unchanged. */
const mediaTypeForm =
  /^(?:application|audio|font|image|message|model|multipart|text|video)\/[\w!#$&^.+-]{1,127}$/i;

/** An image that oh-my-pi keeps in a file of its own. */
const storedImage = 'blob:sha256:';

/** Media whose data (base64, a data URL, an address) has already been found. */
export function mediaOfData(
  found: FoundText,
  known: {
    readonly isImage?: boolean | undefined;
    readonly isText?: boolean | undefined;
    readonly mediaType?: string | undefined;
    readonly name?: string | undefined;
  },
): Media {
  const dataUrl = parseDataUrl(found.content);
  const data =
    dataUrl === undefined ? found : (partOfText(found, dataUrl.start, found.content.length) ?? found);
  const named = dataUrl?.mediaType ?? known.mediaType;
  const mediaType = named !== undefined && mediaTypeForm.test(named) ? named : undefined;
  return {
    data,
    mediaType,
    name: known.name,
    isImage: known.isImage === true || mediaType?.startsWith('image/') === true,
    isEncoded:
      known.isText !== true &&
      (data.content.startsWith(storedImage) || !/^[a-z][a-z\d+.-]*:/i.test(data.content.slice(0, 32))),
  };
}

function mediaTypeOf(value: unknown): string | undefined {
  return mediaTypeKeys.map(key => stringAt(value, key)).find(Boolean);
}
