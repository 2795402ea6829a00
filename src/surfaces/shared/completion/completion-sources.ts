import type { Host } from "../../../index.ts";
import { stateLabel } from "../render/state.ts";
import type { CompletionSources } from "./complete-words.ts";

/** Returns the names that the host knows without contacting a server. */
export function completionSources(host: Host): CompletionSources {
  return {
    servers: () => host.servers().map(({ name, state }) => ({ name, note: stateLabel(state) })),
    tools: async (server) => (await host.tools(server, { connect: false })).map(({ tool }) => tool),
    secrets: () => host.secrets.list().catch(() => []),
  };
}
