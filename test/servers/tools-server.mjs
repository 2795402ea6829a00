/**
 * A correct stdio server built with the SDK, with the tools of `tool-set.mjs`.
 * Arguments: --era legacy | modern | both (default both).
 * CANCEL_FILE and START_FILE in the environment: where the tool `slow` records that it was cancelled, and that it
 * started.
 */
import { parseArgs } from "node:util";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { createToolServer } from "./tool-set.mjs";

const { era } = parseArgs({ options: { era: { type: "string", default: "both" } } }).values;

const serve = {
  both: () => serveStdio(createToolServer),
  modern: () => serveStdio(createToolServer, { legacy: "reject" }),
  legacy: () => createToolServer().connect(new StdioServerTransport()),
}[era];
if (serve === undefined) throw new Error(`unknown era ${era}`);
await serve();
