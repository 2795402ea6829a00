import { createHash } from "node:crypto";
import { serverEnvironment } from "../../connection/index.ts";
import { canonicalJson, type Server } from "../../model/index.ts";
import type { Environment } from "../../platform/index.ts";
import type { ResolvedLaunch } from "../../values/index.ts";

/**
 * Identifies what is started for a server: the entry, the program, its arguments, folder, complete environment and sandbox. Two
 * processes of a user may share a server only if this is equal. It depends on secrets, so it is neither logged nor stored.
 */
export function launchDigest(
  { name, provenance, protocol }: Server,
  launch: ResolvedLaunch,
  environment: Environment,
): string {
  const { tier, file } = provenance;
  const started =
    launch.transport === "stdio"
      ? {
          command: launch.command,
          args: launch.args,
          cwd: launch.cwd ?? environment.cwd,
          env: serverEnvironment(environment, launch.inheritEnv, launch.env),
          sandbox: launch.sandbox ?? null,
        }
      : {};
  const text = canonicalJson([name, tier, file ?? null, protocol, started]);
  return createHash("sha256").update(text).digest("hex");
}
