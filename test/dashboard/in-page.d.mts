export function isSettled(): boolean;
export function findTooWide(): string[];
export function describeFocus(): {
  readonly name: string;
  readonly isVisible: boolean;
  readonly isMarked: boolean;
};
export function markReachable(): number;
export function focusMark(): string | null;
export function describeMarks(marks: readonly string[]): string[];
