/** Whether the user wants motion, as the system or VS Code's own setting says. */
export const wantsMotion = (): boolean =>
  !document.body.classList.contains('vscode-reduce-motion') &&
  !window.matchMedia('(prefers-reduced-motion: reduce)').matches;
