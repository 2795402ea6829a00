import { createServer } from "node:http";
import { createHost, isHostError } from "plugboard";

const host = await createHost({
  discover: false,
  servers: { clock: { command: "node", args: ["clock-server.mjs"], env: { ZONE: "UTC" } } },
  artifacts: false, // clients get no paths of this machine
});

async function answer(request, response) {
  const gone = new AbortController();
  response.on("close", () => gone.abort()); // cancels the call if the client disconnects
  try {
    const [, name, tool] = request.url.split("/");
    const { text, isError } = await host.call(name, tool, {}, { signal: gone.signal, timeout: 30_000 });
    response.writeHead(isError ? 502 : 200).end(`${text}\n`);
  } catch (error) {
    response.writeHead(isHostError(error, "CALL_TIMEOUT") ? 504 : 502).end(`${error.message}\n`);
  }
}

const server = createServer((request, response) => void answer(request, response));
server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () => {
  console.log(`Listening on http://127.0.0.1:${server.address().port}`);
});

process.once("SIGTERM", () => {
  server.close(() => void host.close()); // stops the servers after the last response
});
