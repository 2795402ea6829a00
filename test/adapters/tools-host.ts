import type { Host } from "../../src/index.ts";
import { hostIn } from "../flow/host-in.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import type { Turn } from "./wire.ts";

/** A model's turn that calls a tool of the server in `withHost`. */
export function calling(tool: string, args: Readonly<Record<string, unknown>> = {}): Turn {
  return { calls: [{ name: `mcp_tools_${tool}`, args }] };
}

/** A host with one real server, and the files in which its tool `slow` notes that it started and was cancelled. */
export async function withHost(
  use: (host: Host, files: { readonly start: string; readonly cancel: string }) => Promise<void>,
): Promise<void> {
  await using sandbox = await createSandbox();
  const files = { start: `${sandbox.project}/start`, cancel: `${sandbox.project}/cancel` };
  const tools = stdioServer("tools-server.mjs", [], { START_FILE: files.start, CANCEL_FILE: files.cancel });
  await using host = await hostIn(sandbox, { discover: false, servers: { tools } });
  await use(host, files);
}
