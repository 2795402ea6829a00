import type { Processes } from "../platform/index.ts";

/** One line of a lock file: a process that claims the lock. */
export interface Claim {
  readonly pid: number;
  /** Unique for each attempt to lock. */
  readonly mark: string;
  /** The mark of the holder that it takes the lock over from; undefined when the lock was free. */
  readonly from: string | undefined;
  /** The host, boot and PID namespace that `pid` belongs to; undefined if its version of Plugboard did not write it. */
  readonly place: string | undefined;
}

/**
 * The text that claims a lock. Earlier versions read the first line and skip the second, so the two can share a lock
 * file.
 */
export function claimText({ ownPid, place }: Processes, mark: string, from?: string): string {
  const claim = `${ownPid} ${mark}${from === undefined ? "" : ` ${from}`}\n`;
  return place === undefined ? claim : `${claim}at ${mark} ${place}\n`;
}

/**
 * The successive holders of a lock; the last one holds it now. Lines are only ever added, so every reader sees the same
 * holders: the first process that claimed the lock, then the first that took it over from that one, and so on. A process
 * that was second has to claim the lock again.
 */
export function holdersIn(text: string): Claim[] {
  const lines = text.split("\n");
  const places = new Map(lines.flatMap((line) => placeIn(line) ?? []));
  const holders: Claim[] = [];
  for (const line of lines) {
    const [, pid, mark, from] = /^(\d+) ([0-9a-f]{16})(?: ([0-9a-f]{16}))?$/.exec(line) ?? [];
    if (pid !== undefined && mark !== undefined && from === holders.at(-1)?.mark)
      holders.push({ pid: Number(pid), mark, from, place: places.get(mark) });
  }
  return holders;
}

function placeIn(line: string): [[string, string]] | undefined {
  const [, mark, place] = /^at ([0-9a-f]{16}) (\S+)$/.exec(line) ?? [];
  return mark === undefined || place === undefined ? undefined : [[mark, place]];
}
