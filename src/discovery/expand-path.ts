/** Returns the names in a folder that match a pattern, in alphabetical order. */
export type MatchNames = (folder: string, pattern: RegExp) => Promise<readonly string[]>;

/** Expands a path with `*` to the paths that match. */
export async function expandPath(
  path: string,
  join: (...parts: readonly string[]) => string,
  match: MatchNames,
): Promise<string[]> {
  if (!path.includes("*")) return [path];
  const separator = path.includes("\\") ? "\\" : "/";
  const parts = path.split(/[\\/]/);
  const star = parts.findIndex((part) => part.includes("*"));
  const folder = parts.slice(0, star).join(separator) || separator;
  const pattern = new RegExp(`^${(parts[star] ?? "").split("*").map(escape).join("[^/]*")}$`);
  const names = await match(folder, pattern);
  const rest = parts.slice(star + 1);
  const found = await Promise.all(names.map((name) => expandPath(join(folder, name, ...rest), join, match)));
  return found.flat();
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
