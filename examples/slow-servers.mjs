import { createHost, isHostError } from "plugboard";

const host = await createHost();
try {
  const session = host.session();
  const tools = await session.tools({ waitMs: 30_000, signal: AbortSignal.timeout(60_000) });
  console.log(tools.map(({ name }) => name).join(", "));
  for (const { server, errorCode = "still starting" } of session.snapshot().missing)
    console.log(`${server}: ${errorCode}`);
  const { text } = await host.call("clock", "now", {}, { timeout: 500 });
  console.log(text);
} catch (error) {
  if (!isHostError(error, "CALL_TIMEOUT")) throw error;
  console.log(error.message);
} finally {
  await host.close();
}
