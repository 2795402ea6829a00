import type { ServerFacts } from "../../model/index.ts";
import type { Workspace } from "../workspace.ts";
import { onServer } from "./on-server.ts";

/** Connects to a server, or uses its running connection. Returns what the server reports about itself. */
export function connectToServer(workspace: Workspace, name: string): Promise<ServerFacts> {
  return onServer(workspace, { server: name }, async ({ use, connect }) => {
    await use();
    return (await connect()).facts;
  });
}
