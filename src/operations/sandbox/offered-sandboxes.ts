import type { JsonValue } from "../../model/index.ts";
import { describeProfile, parseSandbox } from "../../sandbox/index.ts";
import type { Workspace } from "../workspace.ts";
import { missingSandbox } from "./missing-sandbox.ts";
import type { SandboxChoice } from "./sandbox-api.ts";

/** Full network, for servers that only need to be kept away from files. */
export const WITH_NETWORK: JsonValue = { network: "full" };
const OFFERED: readonly JsonValue[] = [true, WITH_NETWORK, false];

/** Describes what a sandbox, as an entry writes it, allows. */
export function describeSandbox(sandbox: JsonValue, home: string | undefined): string {
  const parsed = parseSandbox(sandbox);
  const profile = "problem" in parsed ? undefined : parsed.profile;
  return profile === undefined ? "can do everything that you can" : describeProfile(profile, home);
}

/** Returns the sandboxes to choose from for a new local server. */
export async function offeredSandboxes({
  inventory,
  environment,
  ports,
}: Workspace): Promise<readonly Omit<SandboxChoice, "hash">[]> {
  if (inventory().settings.sandbox !== undefined) return [];
  if ((await missingSandbox(environment, ports)) !== undefined) return [];
  return OFFERED.map((sandbox) => ({ sandbox, access: describeSandbox(sandbox, environment.home) }));
}
