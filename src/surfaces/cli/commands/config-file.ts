import type { CommandContext } from "../../shared/command.ts";

/** Returns the config file of a team's gateway: that of the flag, or else that of the environment. */
export function configFileOf({ flags }: Pick<CommandContext, "flags">): string | undefined {
  const file = flags["config"] ?? process.env["PLUGBOARD_GATEWAY_CONFIG"];
  return typeof file === "string" && file !== "" ? file : undefined;
}
