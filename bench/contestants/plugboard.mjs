import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const { createHost } = await import(new URL("../../dist/index.js", import.meta.url).href);

/** Plugboard as built in `dist/`, with an empty state and cache each time, so that no catalog is cached. */
export async function connect(servers) {
  const state = mkdtempSync(join(tmpdir(), "plugboard-home-"));
  const host = await createHost({
    servers: Object.fromEntries(
      servers.map(({ name, ...entry }) => [
        name,
        entry.url === undefined ? entry : { type: "http", ...entry },
      ]),
    ),
    discover: false,
    env: { ...process.env, PLUGBOARD_HOME: state },
  });
  const tools = await host.tools({ waitMs: 60_000 });
  if (tools.length !== servers.length) throw new Error(`${tools.length} of ${servers.length} tools listed`);
  return { call: (name, text) => host.call(name, "echo", { text }), close: () => host.close() };
}
