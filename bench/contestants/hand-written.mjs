import { openHttp } from "../hand-written/http-client.mjs";
import { openPipe } from "../hand-written/pipe-client.mjs";

/** The baseline of every in-process measurement. */
export async function connect(servers) {
  const clients = new Map(
    await Promise.all(
      servers.map(async (server) => {
        const client = await (server.url === undefined ? openPipe(server) : openHttp(server));
        await client.listTools();
        return [server.name, client];
      }),
    ),
  );
  return {
    call: (name, text) => clients.get(name).callTool("echo", { text }),
    close: () => Promise.all([...clients.values()].map((pipe) => pipe.close())),
  };
}
