import type { Panel } from "./view.ts";

/** A question that comes up by itself takes no key before so long a pause: what is typed until then was meant for something else. */
export const PAUSE_MS = 500;

/** Decides whether a key that is pressed while a question is asked was meant for it. */
export interface KeyGuard {
  /** Whether the question takes keys now. From the first look on, time counts. */
  isOpen(panel: Panel): boolean;
  /** A key was pressed, whatever for. */
  keyPressed(): void;
  close(): void;
}

export interface GuardSurroundings {
  /** Something is typed into the line below. */
  isTyping(): boolean;
  /** The question takes keys from now on. */
  onOpen(): void;
}

export function createKeyGuard({ isTyping, onOpen }: GuardSurroundings): KeyGuard {
  let asked: Panel | undefined;
  let isOpen = false;
  let timer: NodeJS.Timeout | undefined;
  let isPaused = true;

  const waitForPause = (): void => {
    clearTimeout(timer);
    isPaused = false;
    timer = setTimeout(() => {
      isPaused = true;
      if (asked === undefined || isOpen) return;
      isOpen = true;
      onOpen();
    }, PAUSE_MS);
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
