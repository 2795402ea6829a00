/** The history of typed lines. Kept in memory only, because lines can contain secrets. */
export interface History {
  add(line: string): void;
  /** Returns the previous line that starts with the draft, or `undefined`. */
  earlier(current: string): string | undefined;
  /** Returns the next such line, and the draft after the last one. */
  later(): string | undefined;
  /** Ends browsing because the user edited the line. */
  forget(): void;
}

const MOST_LINES = 1_000;

export function createHistory(): History {
  let lines: string[] = [];
  let draft: string | undefined;
  let place = 0;
  return {
    add(line) {
      if (line.trim() !== "") lines = [...lines.filter((other) => other !== line), line].slice(-MOST_LINES);
      draft = undefined;
    },
    earlier(current) {
      const wanted = draft ?? current;
      const from = draft === undefined ? lines.length : place;
      const found = lines.slice(0, from).findLastIndex((line) => line.startsWith(wanted) && line !== current);
      if (found === -1) return undefined;
      draft = wanted;
      place = found;
      return lines[found];
    },
    later() {
      if (draft === undefined) return undefined;
      const wanted = draft;
      const found = lines.findIndex((line, index) => index > place && line.startsWith(wanted));
      if (found === -1) {
        draft = undefined;
        return wanted;
      }
      place = found;
      return lines[found];
    },
    forget() {
      draft = undefined;
    },
  };
}
