import { openSync, readdirSync, readFileSync } from "node:fs";

/** In the flags of `/proc/self/fdinfo`: the descriptor is closed when another program starts. */
const CLOSED_AT_START = 0o2000000;

let nothing: number | undefined;

/**
 * Returns `stdio` entries that replace all other descriptors which a new program would inherit. The program that started this one may
 * have left files and folders open, and Node closes only the lowest of them.
 */
export function withoutInherited(platform: string): (number | "ignore")[] {
  const replaced = platform === "win32" ? [] : inherited(platform);
  if (replaced.length === 0) return [];
  nothing ??= openSync("/dev/null", "r+");
  const entries: (number | "ignore")[] = Array.from({ length: Math.max(...replaced) - 2 }, () => "ignore");
  for (const descriptor of replaced) entries[descriptor - 3] = nothing;
  return entries;
}

function inherited(platform: string): number[] {
  const isLinux = platform === "linux";
  try {
    return readdirSync(isLinux ? "/proc/self/fd" : "/dev/fd")
      .map(Number)
      .filter((descriptor) => descriptor > 2 && !(isLinux && isClosedAtStart(descriptor)));
  } catch {
    return []; // without the list, only the descriptors that Node itself closes are closed
  }
}

function isClosedAtStart(descriptor: number): boolean {
  try {
    const text = readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8");
    return (Number.parseInt(/^flags:\s*(\d+)/m.exec(text)?.[1] ?? "0", 8) & CLOSED_AT_START) !== 0;
  } catch {
    return true; // it was the one that listed the folder
  }
}
