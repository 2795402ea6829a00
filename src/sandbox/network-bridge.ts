import { localPort, needsProxy } from "./host-rules.ts";

/** Where the sandbox has the socket of Plugboard's proxy. */
export const PROXY_SOCKET = "/run/plugboard-proxy.sock";
/** The sandbox has its own network, so that the port is always free. */
const BRIDGE_PORT = 3128;
/** Keeps the server's `NODE_OPTIONS` away from the bridge. */
const SERVER_OPTIONS = "PLUGBOARD_NODE_OPTIONS";

/** Replace the system's files in the sandbox, so that the bridge resolves all host names. */
export const NAME_FILES: Readonly<Record<string, string>> = {
  "/etc/resolv.conf": "nameserver 127.0.0.1\noptions timeout:30 attempts:1\n",
  "/etc/hosts": "127.0.0.1 localhost sandbox\n::1 localhost\n",
};

/**
 * A program that connects the sandbox's own network with the socket of the proxy, and then starts the server. It runs inside the
 * sandbox and enforces nothing: it is a name server that gives every name its own loopback address, and it passes connections to
 * that address on to the proxy, which decides. The server needs no support for proxies.
 */
const BRIDGE = `
const net = require("node:net");
const { argv, env: given, exit } = require("node:process");
const [socket, port, local, command, ...args] = argv.slice(1);
const { ${SERVER_OPTIONS}: options, ...env } = given;
if (options !== undefined) env.NODE_OPTIONS = options;
const reset = (client) => (client.resetAndDestroy ? client.resetAndDestroy() : client.destroy());
const join = (one, other) => {
  for (const [from, to] of [[one, other], [other, one]]) {
    from.on("error", () => to.destroy());
    from.on("close", () => to.destroy());
    from.pipe(to);
  }
};
const ask = (target, answered) => {
  const proxy = net.connect({ path: socket, allowHalfOpen: true });
  let head = Buffer.alloc(0);
  let isOver = false;
  const over = (accepted, rest) => {
    if (isOver) return;
    isOver = true;
    proxy.off("data", read);
    answered(accepted && proxy, head.toString("latin1"), rest);
  };
  const read = (chunk) => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf("\\r\\n\\r\\n");
    if (end === -1 && head.length < 65536) return;
    const rest = head.subarray(end + 4);
    head = head.subarray(0, Math.max(end, 0));
    over(/^HTTP\\/1\\.1 200 /.test(head.toString("latin1")), rest);
  };
  proxy.on("data", read).on("error", () => over(false)).on("close", () => over(false));
  proxy.write("CONNECT " + target + " HTTP/1.1\\r\\nHost: " + target + "\\r\\n\\r\\n");
};
const open = new Set();
const accept = (address, port, host) => new Promise((done) => {
  const name = host.includes(":") ? "[" + host + "]" : host;
  const server = net.createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
    client.on("error", () => {});
    ask(name + ":" + port, (proxy, _, rest) => {
      if (!proxy) return reset(client);
      client.write(rest);
      join(client, proxy);
    });
  });
  server.on("error", done).listen(port, address, done);
});
const known = new Map();
let used = 0;
const lookUp = (name) => new Promise((done) => {
  ask(name + ":0", (proxy, head) => {
    if (proxy) proxy.destroy();
    if (!proxy || used >= 4096) return done({ code: /^HTTP\\/1\\.1 (?:403|404) /.test(head) ? 3 : 2 });
    used += 1;
    const address = [127, 64, used >> 8, used & 255];
    const ports = (/^plugboard-ports: ([\\d,]+)/im.exec(head) || ["", ""])[1].split(",").filter(Boolean);
    Promise.all(ports.map((port) => accept(address.join("."), Number(port), name))).then(() => done({ address }));
  });
});
const names = require("node:dgram").createSocket("udp4", async (query, from) => {
  const labels = [];
  let at = 12;
  while (query[at] > 0 && query[at] < 64) {
    labels.push(query.toString("latin1", at + 1, at + 1 + query[at]));
    at += query[at] + 1;
  }
  if (query.length < at + 5 || query[at] !== 0) return;
  const name = labels.join(".").toLowerCase();
  let found = known.get(name);
  if (!/^[a-z0-9_-][a-z0-9_.-]*$/.test(name)) found = { code: 3 };
  if (found === undefined) {
    const pending = lookUp(name);
    known.set(name, pending);
    found = await pending;
    if (found.address === undefined) known.delete(name);
  }
  const { address, code = 0 } = await found;
  const isAddress = address !== undefined && query.readUInt16BE(at + 1) === 1;
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(isAddress ? 1 : 0, 6);
  const answer = isAddress ? [192, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address] : [];
  names.send(Buffer.concat([head, query.subarray(12, at + 5), Buffer.from(answer)]), from.port, from.address);
});
const naming = new Promise((done) => names.on("error", done).bind(53, "127.0.0.1", done));
const proxying = new Promise((done) => {
  net.createServer({ allowHalfOpen: true }, (client) => {
    join(client, net.connect({ path: socket, allowHalfOpen: true }));
  }).listen(Number(port), "127.0.0.1", done);
});
const forwarding = JSON.parse(local).flatMap(([host, port]) => ["127.0.0.1", "::1"].map((at) => accept(at, port, host)));
Promise.all([naming, proxying, ...forwarding]).then(() => {
  const child = require("node:child_process").spawn(command, args, { stdio: "inherit", env });
  child.on("error", (error) => { require("node:fs").writeSync(2, error.message + "\\n"); exit(127); });
  child.on("exit", (code) => exit(code ?? 1));
});`;

/** Returns the words that start a server behind the bridge. `runtime` is a program that runs `-e <JavaScript>`. */
export function bridgeWords(runtime: string, hosts: readonly string[]): string[] {
  const local = hosts.map(localPort).filter((found) => found !== undefined);
  return [runtime, "-e", BRIDGE, PROXY_SOCKET, String(BRIDGE_PORT), JSON.stringify(local)];
}

/**
 * Returns the variables of a server behind the bridge or, with a `port`, of one that reaches the proxy itself. Programs use the proxy
 * only if they must: many support proxies badly, and the bridge needs no support.
 */
export function proxyVariables(
  hosts: readonly string[],
  given: Readonly<Record<string, string>>,
  port?: number,
): Record<string, string> {
  const { NODE_OPTIONS: options } = given;
  return {
    ...((port !== undefined || hosts.some(needsProxy)) && environmentFor(hosts, port ?? BRIDGE_PORT)),
    ...(port === undefined && options !== undefined && { [SERVER_OPTIONS]: options, NODE_OPTIONS: "" }),
  };
}

function environmentFor(hosts: readonly string[], port: number): Record<string, string> {
  const url = `http://127.0.0.1:${port}`;
  // Loopback inside the sandbox is reached without the proxy.
  const direct = ["localhost", "127.0.0.1", "[::1]"].filter(
    (name) => !hosts.some((host) => host.toLowerCase().replace(/:\d+$/, "") === name),
  );
  const noProxy = direct.join(",").replace("[::1]", "::1");
  return {
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    http_proxy: url,
    https_proxy: url,
    NO_PROXY: noProxy,
    no_proxy: noProxy,
    NODE_USE_ENV_PROXY: "1",
  };
}
