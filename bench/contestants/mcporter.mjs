import { importPeer } from "./import-peer.mjs";

const { createRuntime } = await importPeer("mcporter/node_modules/mcporter/dist/index.js");
const silent = { info() {}, warn() {}, error() {}, debug() {} };

/** mcporter's library, the most similar one to Plugboard. */
export async function connect(servers) {
  const runtime = await createRuntime({
    servers: servers.map(({ name, url, command, args }) => ({
      name,
      command:
        url === undefined
          ? { kind: "stdio", command, args, cwd: process.cwd() }
          : { kind: "http", url: new URL(url) },
    })),
    logger: silent,
  });
  await Promise.all(servers.map(({ name }) => runtime.listTools(name)));
  return {
    call: (name, text) => runtime.callTool(name, "echo", { args: { text } }),
    close: () => runtime.close(),
  };
}
