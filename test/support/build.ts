import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Builds `dist/` once per run, for the tests of the built program. */
export function setup(): void {
  if (process.env["PLUGBOARD_SKIP_BUILD"] === "1") return;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/build.mjs"], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`The build failed, so no test was run.\n${stdout}${stderr}`);
}
