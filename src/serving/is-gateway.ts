import type { Server } from "../model/index.ts";

const PROGRAM = /(?:^|[\\/])plugboard(?:@[^\\/]*)?(?:\.(?:cmd|exe))?$|[\\/]surfaces[\\/]cli[\\/]main\.cjs$/;

/** Returns whether a server's entry starts a Plugboard gateway. Config files of other tools contain such entries. */
export function isGateway({ launch }: Pick<Server, "launch">): boolean {
  if (launch?.transport !== "stdio") return false;
  const words = [...(launch.wrap ?? []), launch.command, ...launch.args];
  const at = words.findIndex((word) => PROGRAM.test(word));
  return at !== -1 && words.slice(at + 1).includes("serve");
}
