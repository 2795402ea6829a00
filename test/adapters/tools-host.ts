import { expect } from "vitest";
import type { Host, LocalServerOptions } from "../../src/index.ts";
import { hostIn } from "../flow/host-in.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import type { Turn } from "./wire.ts";

/** The text of a result with the server's image and audio. */
export const PICTURE: string = expect.stringMatching(
  /^\[image: image\/png, 70 bytes, saved to .+\]$/,
) as string;
export const SOUND: string = expect.stringMatching(
  /^\[audio: audio\/wav, 44 bytes, saved to .+\]$/,
) as string;

/** A model's turn that calls a tool of the server in `withHost`. */
export function calling(tool: string, args: Readonly<Record<string, unknown>> = {}): Turn {
  return { calls: [{ name: `mcp_tools_${tool}`, args }] };
}

/** A host with one real server, and the files in which its tool `slow` records that it started and was cancelled. */
export async function withHost(
  use: (host: Host, files: { readonly start: string; readonly cancel: string }) => Promise<void>,
  rules: Partial<LocalServerOptions> = {},
): Promise<void> {
  await using sandbox = await createSandbox();
  const files = { start: `${sandbox.project}/start`, cancel: `${sandbox.project}/cancel` };
  const tools = stdioServer("tools-server.mjs", [], { START_FILE: files.start, CANCEL_FILE: files.cancel });
  await using host = await hostIn(sandbox, { discover: false, servers: { tools: { ...tools, ...rules } } });
  await host.tools("tools"); // adapters wait two seconds for servers, which a busy machine may exceed
  await use(host, files);
}
