/** Opens a host whose servers are scripts in this process, with the test helpers that the package exports. */
import { emptyHome } from "./scratch.mjs";

/** `scripts`: the script of each server, by name. `learns`: whether searches learn from calls, which makes results depend on earlier ones. */
export async function openScriptedHost(scripts, { learns = false } = {}) {
  const { createHost } = await import("../dist/index.js");
  const { createScriptedServer } = await import("../dist/testing/index.js");
  const home = emptyHome();
  const servers = Object.fromEntries(
    Object.entries(scripts).map(([name, script]) => [
      name,
      { transport: () => transportTo(createScriptedServer(script)) },
    ]),
  );
  const host = await createHost({
    discover: false,
    home: home.folder,
    env: home.env,
    servers,
    settings: { learnFromUse: learns },
  });
  return {
    host,
    home: home.folder,
    async close() {
      await host.close();
      home.remove();
    },
  };
}

/** Returns scripts that list these definitions. Their tools cannot be called. */
export function scriptsOf(definitions) {
  const scripts = {};
  for (const { server, tool, title, description, inputSchema } of definitions) {
    scripts[server] ??= { name: server, version: "1.0.0", tools: {} };
    const run = () => {
      throw new Error("This tool is only listed.");
    };
    scripts[server].tools[tool] = { title, description, inputSchema, run };
  }
  return scripts;
}

function transportTo(server) {
  const transport = {
    start: async () => {},
    send: async (message) => void server.receive(message, (answer) => transport.onmessage?.(answer)),
    close: async () => transport.onclose?.(),
  };
  return transport;
}
