import { posix } from "node:path";
import { expect, test } from "vitest";
import type { SourceFile, Where } from "../../../src/discovery/provider.ts";
import { PROVIDERS } from "../../../src/discovery/providers/index.ts";
import { table } from "./tables.ts";

/** On Linux, in a project's folder that is the root of its repository. */
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

/** `npx vitest run test/docs/reference -u` writes the page anew. */
test("the reference of the files that are read says what is looked at", async () => {
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
    "# Files that are read",
    'Where Plugboard looks for servers on Linux, made from the code that looks; macOS and Windows have their own folders in place of `~/.config`. A project\'s files are looked for from the working folder up to the root of its repository, and their servers run [after an approval](../approve.md) only. `plugboard doctor` shows what was found on your machine, `"providers": { "<id>": false }` in [the settings](configuration.md#the-settings) leaves a tool\'s files unread, and [configuration](../configure.md#where-servers-are-found) says who wins.',
    table(["tool", "id", "in a project", "yours", "an administrator's"], rows),
  ].join("\n\n")}\n`;
}

function pathsOf(files: readonly SourceFile[], tier: SourceFile["tier"]): string {
  const paths = files.filter((file) => file.tier === tier).flatMap((file) => file.paths);
  return [...new Set(paths)].map((path) => `\`${path.replace(/^<project>\//, "")}\``).join(" ");
}
