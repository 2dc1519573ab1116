/** How a caller follows and ends work that takes long. */
export interface WorkOptions {
  readonly isCancelled?: (() => boolean) | undefined;
  /** Steps done, and in all. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** How long work may hold the thread before messages and cancellation get their turn, in milliseconds. */
export const turnLength = 30;
