import { posix } from "node:path";
import { expect, test } from "vitest";
import type { SourceFile, Where } from "../../../src/discovery/provider.ts";
import { PROVIDERS } from "../../../src/discovery/providers/index.ts";
import { table } from "./tables.ts";

/** Linux, with the root of a repository as the working folder. */
const where: Where = {
  platform: "linux",
  home: "~",
  homeKind: "apart",
  cwd: "<project>",
  projectFolders: ["<project>"],
  ancestors: ["<project>"],
  variables: {},
  relativePaths: new Set(),
  userConfig: "~/.plugboard/mcp.json",
  configHome: "~/.config",
  appData: "~/.config",
  join: (...parts) => posix.join(...parts),
};

/** `npx vitest run test/docs/reference -u` regenerates the page. */
test("the file reference matches the providers", async () => {
  await expect(page()).toMatchFileSnapshot("../../../docs/reference/files.md");
});

function page(): string {
  const rows = PROVIDERS.toSorted((one, other) => one.label.localeCompare(other.label, "en")).map(
    ({ id, label, files }) => {
      const all = files(where);
      return [label, `\`${id}\``, pathsOf(all, "project"), pathsOf(all, "user"), pathsOf(all, "managed")];
    },
  );
  return `${[
    "# Files that Plugboard reads",
    'The files in which Plugboard looks for servers on Linux, generated from the code. macOS and Windows use their own folders instead of `~/.config`. Plugboard looks for a project\'s files from the working folder up to the root of the repository; their servers require [approval](../approve.md). `plugboard doctor` shows the files on your machine. `"providers": { "<id>": false }` in [the settings](configuration.md#the-settings) ignores a tool\'s files. [Configuration](../configure.md#where-servers-are-found) lists the order of precedence.',
    table(["tool", "id", "project files", "user files", "managed files"], rows),
  ].join("\n\n")}\n`;
}

function pathsOf(files: readonly SourceFile[], tier: SourceFile["tier"]): string {
  const paths = files.filter((file) => file.tier === tier).flatMap((file) => file.paths);
  return [...new Set(paths)].map((path) => `\`${path.replace(/^<project>\//, "")}\``).join(" ");
}
