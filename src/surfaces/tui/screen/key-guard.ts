import type { Panel } from "./view.ts";

/** An unexpected question accepts keys only after a pause of this length. Earlier keys were meant for other input. */
export const PAUSE_MS = 500;

/** The pause while the input line contains text. A person who thinks about the rest of a line does not look at a question. */
export const DRAFT_PAUSE_MS = 2_000;

/** Decides whether a key was meant for the current question. */
export interface KeyGuard {
  /** Returns whether the question accepts keys. The first call for a question starts the pause. */
  isOpen(panel: Panel): boolean;
  /** Restarts the pause after any key. */
  keyPressed(): void;
  close(): void;
}

export interface KeyGuardOptions {
  /** Returns whether the input line contains text. */
  isTyping(): boolean;
  /** Called when the question starts to accept keys. */
  onOpen(): void;
}

export function createKeyGuard({ isTyping, onOpen }: KeyGuardOptions): KeyGuard {
  let asked: Panel | undefined;
  let isOpen = false;
  let timer: NodeJS.Timeout | undefined;
  let isPaused = true;

  const waitForPause = (): void => {
    clearTimeout(timer);
    isPaused = false;
    const pause = asked?.isUnexpected === true && isTyping() ? DRAFT_PAUSE_MS : PAUSE_MS;
    timer = setTimeout(() => {
      isPaused = true;
      if (asked === undefined || isOpen) return;
      isOpen = true;
      onOpen();
    }, pause);
    timer.unref();
  };
  return {
    isOpen(panel) {
      if (asked === panel) return isOpen;
      asked = panel;
      isOpen = panel.isUnexpected !== true && (isPaused || !isTyping());
      if (!isOpen) waitForPause();
      return isOpen;
    },
    keyPressed: waitForPause,
    close: () => clearTimeout(timer),
  };
}
