import { sessionJson } from './sessionJson';

/**
 * The core in a browser's worker: it gets the text of a transcript and answers with its findings, or with the error.
 */
self.addEventListener('message', ({ data }: MessageEvent<string>) => {
  sessionJson(data).then(
    json => self.postMessage(json),
    (error: unknown) => self.postMessage(String(error)),
  );
});
