import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const program = fileURLToPath(new URL("./find-undocumented.mjs", import.meta.url));

test("every export, and every member of an exported interface or class, has a doc comment in the built types", () => {
  const [checked, ...undocumented] = execFileSync(process.execPath, [program], { encoding: "utf8" })
    .trim()
    .split("\n");
  expect(Number(checked)).toBeGreaterThan(1_000);
  expect(undocumented).toEqual([]);
}, 60_000);
