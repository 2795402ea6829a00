import assert from "node:assert/strict";
import { test } from "node:test";
import { createHost } from "plugboard";

async function openHost(t) {
  const servers = { notes: { command: "node", args: ["own-server.mjs"] } };
  const host = await createHost({ discover: false, servers });
  t.after(() => host.close());
  return host;
}

await test("search finds the notes that contain a word", async (t) => {
  const host = await openHost(t);
  const { text } = await host.call("notes", "search", { query: "tea" });
  assert.equal(text, "Tea: four minutes at 90 °C.");
});

await test("search requires a query", async (t) => {
  const host = await openHost(t);
  await assert.rejects(host.call("notes", "search", {}), { code: "TOOL_ARGUMENTS_INVALID" });
});
