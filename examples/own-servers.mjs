import { createHost, isHostError } from "plugboard";

const host = await createHost({
  discover: false,
  servers: {
    clock: { command: "node", args: ["clock-server.mjs"], env: { ZONE: "${TZ:-UTC}" }, timeout: 5_000 },
  },
});
try {
  const result = await host.call("clock", "now", {}, { onProgress: ({ message }) => console.error(message) });
  console.log(result.isError ? `The tool returned an error: ${result.text}` : result.text);
} catch (error) {
  if (!isHostError(error)) throw error;
  console.error(`${error.code}: ${error.message} ${error.hint ?? ""}`);
  process.exitCode = 1;
} finally {
  await host.close();
}
