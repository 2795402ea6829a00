import { type LaunchPackage, packageOfLaunch } from "./launch-package.ts";

/** Returns the command line with another version of its package, or `undefined` if the version cannot be replaced. */
export function withVersion(line: readonly string[], version: string): readonly string[] | undefined {
  const before = packageOfLaunch(line);
  if (before === undefined) return undefined;
  for (const [index, word] of line.entries()) {
    for (const changed of candidates(word, before, version)) {
      const words = line.with(index, changed);
      const after = packageOfLaunch(words);
      if (after?.name === before.name && after.version === version) return words;
    }
  }
  return undefined;
}

/** The word with the new version in place of the old one, or at its end if it has none. */
function candidates(word: string, { version: old, ecosystem }: LaunchPackage, version: string): string[] {
  if (old === undefined) return [`${word}${ecosystem === "PyPI" ? "==" : "@"}${version}`];
  return word.endsWith(old) ? [`${word.slice(0, -old.length)}${version}`] : [];
}
