import { createHash } from "node:crypto";
import { posix, win32 } from "node:path";
import { withFileLock } from "../../documents/index.ts";
import { commandLineOf } from "../prepare/preparation.ts";
import { type InstallDeps, installWithNpx, type NpxInstallation } from "./install-npx.lazy.ts";
import type { WarmUp } from "./plan-installation.lazy.ts";
import { runInstaller } from "./run-installer.ts";

/** Installs a package before its server starts. Only one process at a time installs it. */
export async function installPackage(
  installation: NpxInstallation | WarmUp,
  deps: InstallDeps,
): Promise<void> {
  if (installation.kind === "npx") return installWithNpx(installation, deps);
  const { ports, environment, cache, waitMs, signal } = deps;
  const folder = (environment.platform === "win32" ? win32 : posix).join(cache, "runners");
  await ports.files.makeFolder(folder, 0o700);
  const name = createHash("sha256")
    .update(commandLineOf(installation.launch).join("\0"))
    .digest("hex")
    .slice(0, 16);
  const lock = `${folder}${environment.platform === "win32" ? "\\" : "/"}${name}.lock`;
  // The result does not matter: if the installation failed, starting the server reports the error.
  await withFileLock(ports, lock, () => runInstaller(installation.launch, deps), { waitMs, signal });
}
