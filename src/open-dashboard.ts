import { HostError, isJsonObject, messageOf } from "./model/index.ts";
import { readBodyText } from "./platform/index.ts";
import { nodeEnvironment, nodePorts } from "./platform/node/index.ts";
import { createProof, DASHBOARD_KEY, DASHBOARD_PATH, readSecretFile } from "./serving/index.ts";
import { findOwnPaths, guardOwnFiles } from "./state/index.ts";

const LONGEST_ANSWER = 16 * 1024;
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])$/;

/** Asks a gateway on this machine for an address that opens its dashboard once. `url` is any address of the gateway. */
export async function requestDashboard(
  url: string,
  { readOnly = false }: { readonly readOnly?: boolean } = {},
): Promise<string> {
  const { protocol, hostname, host, origin } = URL.canParse(url) ? new URL(url) : new URL("about:blank");
  if (protocol !== "http:" || !LOOPBACK.test(hostname))
    throw new HostError("USAGE_INVALID", "The address must be the one of a gateway on this machine.", {
      hint: "For example: http://127.0.0.1:7420",
    });
  const environment = nodeEnvironment();
  const places = findOwnPaths(environment);
  const ports = nodePorts(undefined, {}); // without a proxy
  const files = guardOwnFiles(ports, environment, places);
  const { text: key } = await readSecretFile(
    { ports: { ...ports, files }, places, environment },
    DASHBOARD_KEY,
  );
  try {
    const response = await ports.http.request({
      url: new URL(`${DASHBOARD_PATH}tickets`, origin),
      method: "POST",
      headers: {
        authorization: createProof(key, host, ports.clock.now()),
        "content-type": "application/json",
      },
      body: JSON.stringify({ readOnly }),
    });
    const answer: unknown = JSON.parse((await readBodyText(response, LONGEST_ANSWER)) ?? "");
    const address = isJsonObject(answer) ? answer["address"] : undefined;
    if (typeof address !== "string" || !address.startsWith(`${origin}${DASHBOARD_PATH}`))
      throw new Error("it refused the request");
    return address;
  } catch (error) {
    if (isRefused(error))
      throw new HostError("CONNECT_FAILED", `Nothing is listening at ${origin}.`, {
        hint: "To open a dashboard without a running gateway: plugboard dashboard",
        cause: error,
      });
    throw new HostError(
      "CONNECT_FAILED",
      `The dashboard at ${origin} cannot be opened: ${messageOf(error)}.`,
      {
        hint: "Only gateways of your own user can be opened. To open a new one: plugboard dashboard",
        cause: error,
      },
    );
  } finally {
    ports.http.close();
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === "ECONNREFUSED";
}

/** Opens an address in the user's browser. Returns whether a browser was started. */
export function openInBrowser(address: string): Promise<boolean> {
  return nodePorts().browser.open(new URL(address));
}
