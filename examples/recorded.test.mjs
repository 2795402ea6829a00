import assert from "node:assert/strict";
import { test } from "node:test";
import { recordedHost } from "plugboard/testing";

// PLUGBOARD_RECORD=1 node --test records; without it, the test runs without the server.
const servers = { notes: { command: "node", args: ["own-server.mjs"] } };

await test("search finds the notes that contain a word", async (t) => {
  const host = await recordedHost(t, { servers });
  const { text } = await host.call("notes", "search", { query: "tea" });
  assert.equal(text, "Tea: four minutes at 90 °C.");
});
