/** What was typed before. Kept in memory only: lines may hold secrets. */
export interface History {
  add(line: string): void;
  /** The line before the one shown that begins as the draft did; `undefined` where there is none. */
  earlier(current: string): string | undefined;
  /** The one after it, and after the last the draft itself. */
  later(): string | undefined;
  /** The line was changed: what is there now is the draft. */
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
