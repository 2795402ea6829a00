/**
 * `node scripts/contact-sheet.mjs [folder]`: takes a picture of every page of the dashboard in every state, width and scheme, and joins them
 * to sheets. Look at them after a change of the design. With `--docs`, it takes only the pages in their usual state, and
 * replaces the pictures in `docs`.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

/** The pictures in `docs`, and what they are called in the folder of pictures. */
const IN_DOCS = {
  "dashboard-overview.png": "busy overview 1280 light.png",
  "dashboard-changed-tools.png": "busy approvals-tools-github 1280 dark.png",
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { docs: { type: "boolean", default: false } },
});
const folder = resolve(positionals[0] ?? join(tmpdir(), "plugboard-contact-sheet"));
const only = values.docs ? ["-t", "busy"] : [];
const { status } = spawnSync("npx", ["vitest", "run", "test/dashboard/pages.score.ts", ...only], {
  stdio: "inherit",
  env: { ...process.env, CONTACT_SHEET: folder, DURABILITY: "whole" },
});
if (values.docs && status === 0)
  for (const [name, picture] of Object.entries(IN_DOCS))
    copyFileSync(join(folder, picture), join("docs", name));
console.log(`The pictures are in ${folder}`);
process.exitCode = status ?? 1;
