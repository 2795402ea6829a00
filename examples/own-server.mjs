import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const notes = ["Tea: four minutes at 90 °C.", "Coffee: sixty grams a litre."];

function createServer() {
  const server = new McpServer({ name: "notes", version: "1.0.0" });
  const config = {
    description: "Finds the notes that contain a word.",
    inputSchema: z.object({ query: z.string().describe("The word to look for.") }),
    annotations: { readOnlyHint: true },
  };
  server.registerTool("search", config, ({ query }) => {
    const found = notes.filter((note) => note.toLowerCase().includes(query.toLowerCase()));
    return { content: [{ type: "text", text: found.join("\n") || "Nothing." }] };
  });
  return server;
}

console.error("notes is ready"); // standard output is reserved for the protocol
serveStdio(createServer);
