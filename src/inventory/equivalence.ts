import type { ServerEntry } from "../model/index.ts";

/** Two entries with the same key start the same program or reach the same place, whatever they are called. */
export function connectionKey({ launch }: ServerEntry): string | undefined {
  if (launch === undefined) return undefined;
  if (launch.transport !== "stdio") return `remote ${normalizeUrl(launch.url)}`;
  return `stdio ${JSON.stringify(unwrap([launch.command, ...launch.args]))}`;
}

/** Names of servers that share a connection, in order; only groups of two and more. */
export function findDuplicates(entries: readonly ServerEntry[]): string[][] {
  const byKey = new Map<string, string[]>();
  for (const entry of entries) {
    const key = connectionKey(entry);
    if (key === undefined) continue;
    byKey.set(key, [...(byKey.get(key) ?? []), entry.name]);
  }
  return [...byKey.values()].filter((names) => new Set(names).size > 1);
}

/** `cmd /c npx -y pkg`, `npx.cmd --yes pkg` and `npx pkg` are the same. */
function unwrap(words: readonly string[]): string[] {
  const [first = "", second = "", ...rest] = words;
  if (/^cmd(?:\.exe)?$/i.test(first) && /^\/c$/i.test(second)) return unwrap(rest);
  const command = first.replace(/\.(?:cmd|exe|bat)$/i, "");
  const args = [second, ...rest].filter((word) => word !== "");
  if (!/(?:^|[\\/])npx$/.test(command)) return [command, ...args];
  return ["npx", ...args.filter((word) => word !== "-y" && word !== "--yes")];
}

function normalizeUrl(url: string): string {
  try {
    const { protocol, host, pathname, search } = new URL(url);
    return `${protocol}//${host}${pathname.replace(/\/$/, "")}${search}`;
  } catch {
    return url; // it has placeholders; then the text itself must do
  }
}
