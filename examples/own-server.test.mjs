import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createHost } from "plugboard";

const host = await createHost({
  discover: false,
  servers: { notes: { command: "node", args: ["own-server.mjs"] } },
});
after(() => host.close());

await test("search finds the notes that contain a word", async () => {
  const { text } = await host.call("notes", "search", { query: "tea" });
  assert.equal(text, "Tea: four minutes at 90 °C.");
});

await test("search requires a query", async () => {
  await assert.rejects(host.call("notes", "search", {}), { code: "TOOL_ARGUMENTS_INVALID" });
});
