import type { RemoteLaunch } from "./launch.ts";
import type { ServerEntry } from "./server.ts";

const PROGRAM = /(?:^|[\\/])plugboard(?:@[^\\/]*)?(?:\.(?:cmd|exe))?$|[\\/]surfaces[\\/]cli[\\/]main\.cjs$/;

/** Entries that `export --gateway` writes read the gateway's token from this variable. */
const TOKEN = "PLUGBOARD_GATEWAY_TOKEN";

/** Returns whether a server's entry starts or reaches a Plugboard gateway. Config files of other tools contain such entries. */
export function isGateway({ launch }: Pick<ServerEntry, "launch">): boolean {
  if (launch?.transport === "http" || launch?.transport === "sse") return usesToken(launch);
  if (launch?.transport !== "stdio") return false;
  const words = [...(launch.wrap ?? []), launch.command, ...launch.args];
  const at = words.findIndex((word) => PROGRAM.test(word));
  return at !== -1 && words.slice(at + 1).includes("serve");
}

function usesToken({ headers, headersFromEnv = {} }: RemoteLaunch): boolean {
  return (
    Object.values(headers).some((value) => value.includes(TOKEN)) ||
    Object.values(headersFromEnv).some(({ variable }) => variable === TOKEN)
  );
}
