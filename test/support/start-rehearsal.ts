import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { type PtyOptions, type PtyProgram, startOnPty } from "./pty.ts";
import type { Sandbox } from "./sandbox.ts";

const source = fileURLToPath(new URL("rehearsal.ts", import.meta.url));

/** Bundles the rehearsal into one file in the sandbox. */
export async function bundleRehearsal(sandbox: Sandbox): Promise<string> {
  const file = join(sandbox.home, "rehearsal.mjs");
  const building = await rolldown({ input: source, platform: "node", external: ["@napi-rs/keyring"] });
  await building.write({ file, format: "esm", codeSplitting: false });
  await building.close();
  return file;
}

/** The screen on a terminal, without a host. */
export function startRehearsal(file: string, options: PtyOptions): PtyProgram {
  return startOnPty([], { ...options, command: [process.execPath, file] });
}
