import { fileURLToPath } from "node:url";
import type { ServerOptions } from "../../index.ts";

/** How to start the demo server that comes with the package. */
export function demoServer(): ServerOptions {
  // Chunks of the bundle stand beside or below the entry; both reach the demo through the package's own folder.
  const folder = import.meta.url.replace(/\/dist\/.*$/, "/dist/");
  return {
    type: "stdio",
    command: process.execPath,
    args: [fileURLToPath(new URL("surfaces/demo/main.js", folder))],
  };
}
