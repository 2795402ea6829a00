import type { StoreSettings } from "../../../gateway.ts";
import type { CommandContext } from "../../shared/command.ts";

/** Returns the database that the gateway's config file or the environment names. Loads nothing if neither is given. */
export async function findDatabase({
  flags,
  standalone,
}: Pick<CommandContext, "flags" | "standalone">): Promise<StoreSettings | undefined> {
  const file = flags["config"] ?? process.env["PLUGBOARD_GATEWAY_CONFIG"];
  const configFile = typeof file === "string" && file !== "" ? file : undefined;
  if (configFile === undefined && !process.env["PLUGBOARD_GATEWAY_DATABASE_URL"]) return undefined;
  const { findStoreSettings } = await import("../../../gateway-store.lazy.ts");
  return findStoreSettings(standalone?.hostOptions() ?? {}, configFile);
}
