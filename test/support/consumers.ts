import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Installs the SDKs that only tests use. Without them the tests that import them fail; all the others run. */
export function setup(): void {
  spawnSync(process.execPath, ["scripts/install-consumers.mjs"], { cwd: root, stdio: "inherit" });
}
