/** Where the sandbox has the socket of Plugboard's proxy. */
export const PROXY_SOCKET = "/run/plugboard-proxy.sock";
/** The sandbox has its own network, so that the port is always free. */
const BRIDGE_PORT = 3128;
/** Keeps the server's `NODE_OPTIONS` away from the bridge. */
const SERVER_OPTIONS = "PLUGBOARD_NODE_OPTIONS";

/**
 * A program that connects a port of the sandbox's own network with the socket of the proxy, and then starts the server. It
 * runs inside the sandbox and enforces nothing.
 */
const BRIDGE = `
const net = require("node:net");
const { argv, env: given, exit } = require("node:process");
const [socket, port, command, ...args] = argv.slice(1);
const { ${SERVER_OPTIONS}: options, ...env } = given;
if (options !== undefined) env.NODE_OPTIONS = options;
net.createServer({ allowHalfOpen: true }, (client) => {
  const proxy = net.connect({ path: socket, allowHalfOpen: true });
  for (const [one, other] of [[client, proxy], [proxy, client]]) {
    one.on("error", () => other.destroy());
    one.on("close", () => other.destroy());
    one.pipe(other);
  }
}).listen(Number(port), "127.0.0.1", () => {
  const child = require("node:child_process").spawn(command, args, { stdio: "inherit", env });
  child.on("error", (error) => { require("node:fs").writeSync(2, error.message + "\\n"); exit(127); });
  child.on("exit", (code) => exit(code ?? 1));
});`;

/** Returns the words that start a server behind the bridge. `runtime` is a program that runs `-e <JavaScript>`. */
export function bridgeWords(runtime: string): string[] {
  return [runtime, "-e", BRIDGE, PROXY_SOCKET, String(BRIDGE_PORT)];
}

/** Returns the variables that make programs use the proxy. Loopback inside the sandbox is reached without it. */
export function proxyVariables(
  hosts: readonly string[],
  given: Readonly<Record<string, string>>,
  port: number = BRIDGE_PORT,
): Record<string, string> {
  const url = `http://127.0.0.1:${port}`;
  const direct = ["localhost", "127.0.0.1", "[::1]"].filter(
    (name) => !hosts.some((host) => host.toLowerCase().replace(/:\d+$/, "") === name),
  );
  const noProxy = direct.join(",").replace("[::1]", "::1");
  const { NODE_OPTIONS: options } = given;
  return {
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    http_proxy: url,
    https_proxy: url,
    NO_PROXY: noProxy,
    no_proxy: noProxy,
    NODE_USE_ENV_PROXY: "1",
    ...(options !== undefined && { [SERVER_OPTIONS]: options, NODE_OPTIONS: "" }),
  };
}
