import type { Host } from "../../../index.ts";
import { stateWords } from "../render/state.ts";
import type { KnownWords } from "./complete-words.ts";

/** Returns the names that the host knows without contacting a server. */
export function knownWords(host: Host): KnownWords {
  return {
    servers: () => host.servers().map(({ name, state }) => ({ name, note: stateWords(state) })),
    tools: async (server) => (await host.tools(server, { connect: false })).map(({ tool }) => tool),
    secrets: () => host.secrets.list().catch(() => []),
  };
}
