import type { PortableServer } from "../../discovery/index.ts";
import { HostError } from "../../model/index.ts";

/** The name of the gateway's entry in other tools' files. */
const GATEWAY_NAME = "plugboard";
/** The environment variable that entries read the gateway's bearer token from. */
const TOKEN_VARIABLE = "PLUGBOARD_GATEWAY_TOKEN";

/** The limits of clients that ignore or refuse more tools. */
const MOST_TOOLS: Readonly<Record<string, number>> = { cursor: 40, vscode: 128 };

/** The gateway as a server for another tool. */
export interface GatewayExport {
  /** The address of a gateway that listens on this machine. Default: the tool starts a gateway over stdio. */
  readonly url?: string | undefined;
}

/** Returns the gateway as an entry. The token is never written: the tool reads it from the environment. */
export function gatewayEntry(tool: string, { url }: GatewayExport): PortableServer {
  if (url === undefined) {
    const most = MOST_TOOLS[tool];
    const limit = most === undefined ? [] : ["--mode", "auto", "--max-tools", String(most)];
    const args = ["serve", "--stdio", ...limit];
    return { name: GATEWAY_NAME, launch: { transport: "stdio", command: "plugboard", args, env: {} } };
  }
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isWeb = parsed?.protocol === "http:" || parsed?.protocol === "https:";
  if (!isWeb || parsed.username !== "" || parsed.password !== "")
    throw new HostError(
      "USAGE_INVALID",
      "The gateway's URL must start with http:// or https://, without a password.",
      {
        hint: "For example: http://127.0.0.1:7420/mcp",
      },
    );
  const headers = { Authorization: `Bearer \${${TOKEN_VARIABLE}}` };
  return { name: GATEWAY_NAME, launch: { transport: "http", url: parsed.href, headers } };
}
