import type { ServerFacts, WaitOptions } from "../../model/index.ts";
import type { Workspace } from "../workspace.ts";
import { onServer, unlessCancelled } from "./on-server.ts";

/** Connects to a server, or uses its running connection. Returns what the server reports about itself. */
export function connectToServer(
  workspace: Workspace,
  name: string,
  { signal }: WaitOptions,
): Promise<ServerFacts> {
  return onServer(workspace, { server: name, signal }, async ({ use, connect }) => {
    const prepare = async (): Promise<ServerFacts> => {
      await use();
      return (await connect()).facts;
    };
    return unlessCancelled(signal, prepare, name);
  });
}
