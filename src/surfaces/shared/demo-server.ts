import { fileURLToPath } from "node:url";
import type { ServerOptions } from "../../index.ts";

/** Returns the entry that starts the built-in demo server. */
export function demoServer(): ServerOptions {
  // This code can be in a chunk beside or below the entry file, so the path starts at the package's dist folder.
  const folder = import.meta.url.replace(/\/dist\/.*$/, "/dist/");
  return {
    type: "stdio",
    command: process.execPath,
    args: [fileURLToPath(new URL("surfaces/demo/main.js", folder))],
  };
}
