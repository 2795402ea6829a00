import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

/** Documents that guide a reader through the code, and the folder that their paths start from. */
const GUIDES = [
  ["ARCHITECTURE.md", "src"],
  ["src/README.md", "src"],
  ["CONTRIBUTING.md", "."],
] as const;

/** Paths in backticks that name a source file. A path without a folder is in a folder that the text names before it. */
const NAMED = /`((?:[\w.-]+\/)*[\w-]+(?:\.lazy)?(?:\.test)?\.(?:ts|mjs|cjs))`/g;

describe.each(GUIDES)("%s", (guide, root) => {
  const named = [...readFileSync(guide, "utf8").matchAll(NAMED)].map(([, path = ""]) => path);

  test("names files", () => {
    expect(named.length).toBeGreaterThan(0);
  });

  test("names only files that exist", () => {
    const missing = named.filter(
      (path) => path.includes("/") && ![root, ".", "src"].some((folder) => existsSync(join(folder, path))),
    );
    expect(missing).toEqual([]);
  });
});
