import type { ServerEntry } from "../model/index.ts";

/**
 * Returns a key that is equal for entries with the same connection, regardless of their names. Different variables,
 * headers or folders make a different connection, such as a second account or project.
 */
export function connectionKey({ launch }: ServerEntry): string | undefined {
  if (launch === undefined || launch.transport === "in-process") return undefined;
  if (launch.transport !== "stdio") {
    const { url, headers, headersFromEnv = {} } = launch;
    const named = Object.entries(headersFromEnv).map(
      ([header, { variable, prefix }]) => [header, `${prefix}\${${variable}}`] as const,
    );
    const sent = [...Object.entries(headers), ...named].map(
      ([name, value]) => [name.toLowerCase(), value] as const,
    );
    return `remote ${normalizeUrl(url)} ${sortedPairs(sent)}`;
  }
  const { command, args, env, cwd = "" } = launch;
  const words = unwrap([command, ...args]).map(plainPlaceholders);
  return `stdio ${JSON.stringify([...words, plainPlaceholders(cwd)])} ${sortedPairs(Object.entries(env))}`;
}

/** Returns groups of two or more server names that share a connection, in order. */
export function findDuplicates(entries: readonly ServerEntry[]): string[][] {
  const byKey = new Map<string, string[]>();
  for (const entry of entries) {
    const key = connectionKey(entry);
    if (key === undefined) continue;
    byKey.set(key, [...(byKey.get(key) ?? []), entry.name]);
  }
  return [...byKey.values()].filter((names) => new Set(names).size > 1);
}

/** Treats `cmd /c npx -y pkg`, `npx.cmd --yes pkg` and `npx pkg` as equal. */
function unwrap(words: readonly string[]): string[] {
  const [first = "", second = "", ...rest] = words;
  if (/^cmd(?:\.exe)?$/i.test(first) && /^\/c$/i.test(second)) return unwrap(rest);
  const command = first.replace(/\.(?:cmd|exe|bat)$/i, "");
  if (!/(?:^|[\\/])npx$/.test(command)) return [command, ...words.slice(1)];
  const args = words.slice(1);
  const own = args.findIndex((word) => word !== "-y" && word !== "--yes");
  return ["npx", ...(own === -1 ? [] : args.slice(own))];
}

function sortedPairs(pairs: readonly (readonly [string, string])[]): string {
  return JSON.stringify(pairs.map(([name, value]) => [name, plainPlaceholders(value)]).sort());
}

/** Converts the variable syntaxes of several tools to one form. */
function plainPlaceholders(text: string): string {
  return text.replace(
    /\$?\{env:(\w+)\}|\$\{(\w+)\}/g,
    (_, one?: string, other?: string) => `\${${one ?? other}}`,
  );
}

function normalizeUrl(url: string): string {
  const text = plainPlaceholders(url);
  try {
    const { protocol, host, pathname, search } = new URL(text);
    return `${protocol}//${host}${pathname.replace(/\/$/, "")}${search}`;
  } catch {
    return text; // it starts with a placeholder
  }
}
