import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Builds `dist/` if the sources changed, for the tests of the built program. */
export function setup(): void {
  if (process.env["PLUGBOARD_SKIP_BUILD"] === "1") return;
  const { status, stdout } = spawnSync(process.execPath, ["scripts/build-if-needed.mjs"], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"], // it prints a message when it builds
  });
  if (status !== 0) throw new Error(`The build failed, so no test was run.\n${stdout}`);
}
