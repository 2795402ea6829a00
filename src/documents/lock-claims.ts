import type { Processes } from "../platform/index.ts";

/** A process's claim to a lock: one line of the lock file. */
export interface Claim {
  readonly pid: number;
  /** Unique for each attempt to lock. */
  readonly mark: string;
  /** The mark of the previous holder, if the claim takes over the lock. */
  readonly from: string | undefined;
  /** The machine, boot and PID namespace of `pid`. `undefined` if an earlier version of Plugboard wrote the claim. */
  readonly place: string | undefined;
}

/**
 * Returns the text that claims a lock. Earlier versions read the first line and ignore the second, so that old and new
 * versions can share a lock file.
 */
export function claimText({ ownPid, place }: Processes, mark: string, from?: string): string {
  const claim = `${ownPid} ${mark}${from === undefined ? "" : ` ${from}`}\n`;
  return place === undefined ? claim : `${claim}at ${mark} ${place}\n`;
}

/**
 * Returns the successive holders of a lock. The last one holds it now. Lines are only added, so every reader sees the
 * same holders: the first process that claimed the lock, then the first that took it over from that process, and so on.
 * A process that came second must claim the lock again.
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
