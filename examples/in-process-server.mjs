import { McpServer } from "@modelcontextprotocol/server";
import { createHost } from "plugboard";
import { z } from "zod";

const notes = new McpServer({ name: "notes", version: "1.0.0" });
notes.registerTool(
  "add",
  { description: "Adds a note", inputSchema: z.object({ text: z.string() }) },
  ({ text }) => ({ content: [{ type: "text", text: `Added: ${text}` }] }),
);

const host = await createHost({ discover: false, servers: { notes: { server: notes } } });
console.log((await host.call("notes", "add", { text: "Buy milk" })).text);
await host.close();
