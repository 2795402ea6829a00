import { createHost } from "plugboard";

const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => stop.abort(new Error(name)));

const host = await createHost({
  discover: false,
  servers: { clock: { command: "node", args: ["clock-server.mjs"], env: { ZONE: "UTC" } } },
});
try {
  while (true) {
    console.log((await host.call("clock", "now", {}, { signal: stop.signal })).text);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
} catch (error) {
  if (!stop.signal.aborted) throw error;
  console.log(`Ended by ${error.cause.message}`);
} finally {
  await host.close();
}
