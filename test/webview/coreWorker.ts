import { sessionJson } from './sessionJson';

/** The core in a browser's worker: answers the text of a transcript with what it finds, or with the error. */
self.addEventListener('message', ({ data }: MessageEvent<string>) => {
  sessionJson(data).then(
    json => self.postMessage(json),
    (error: unknown) => self.postMessage(String(error)),
  );
});
