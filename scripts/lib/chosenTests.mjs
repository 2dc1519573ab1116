/**
 * The paths that contain one of the words; without words, all paths. Ends the program if no path is left: without files,
 * a runner would look for some itself, or pass without a test.
 */
export function chosenTests(paths, words) {
  const chosen = paths.filter(path => words.length === 0 || words.some(word => path.includes(word)));
  if (chosen.length === 0) {
    console.error(`No path of a test file contains ${words.join(' or ')}.`);
    process.exit(1);
  }
  return chosen;
}
