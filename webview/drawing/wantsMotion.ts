/** True if the user wants motion, by the system's or VS Code's own setting. */
export const wantsMotion = (): boolean =>
  !document.body.classList.contains('vscode-reduce-motion') &&
  !window.matchMedia('(prefers-reduced-motion: reduce)').matches;
