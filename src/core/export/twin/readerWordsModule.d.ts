/** The words that the readers of transcripts look for, with spaces between them: taken from their source when it is bundled. */
declare module 'words:readers' {
  const words: string;
  export default words;
}
