/**
 * `node scripts/contact-sheet.mjs [folder]`: takes a picture of every page of the dashboard in every state, width and scheme, and joins them
 * to sheets. Look at them after a change of the design.
 */
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const folder = resolve(process.argv[2] ?? join(tmpdir(), "plugboard-contact-sheet"));
const { status } = spawnSync("npx", ["vitest", "run", "test/dashboard/pages.score.ts"], {
  stdio: "inherit",
  env: { ...process.env, CONTACT_SHEET: folder, DURABILITY: "whole" },
});
console.log(`The pictures are in ${folder}`);
process.exitCode = status ?? 1;
