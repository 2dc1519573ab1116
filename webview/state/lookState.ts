/** The list of findings. */
export interface LookState {
  readonly isOpen: boolean;
  /** True if the list takes the focus when it opens. */
  readonly takesFocus: boolean;
  /** The name of the finding that is pointed at. */
  readonly current: string | undefined;
  /** True until the list has been open once, in any file. */
  readonly isNew: boolean;
}

export const closedLook: LookState = { isOpen: false, takesFocus: false, current: undefined, isNew: false };
