/**
 * The words that the readers of transcripts look for, separated by spaces. Taken from the readers' source when
 * bundling.
 */
declare module 'words:readers' {
  const words: string;
  export default words;
}
