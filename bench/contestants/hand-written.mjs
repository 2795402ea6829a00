import { openPipe } from "../hand-written/pipe-client.mjs";

/** The yardstick of every in-process measurement. */
export async function connect(servers) {
  const pipes = new Map(
    await Promise.all(
      servers.map(async (server) => {
        const pipe = await openPipe(server);
        await pipe.listTools();
        return [server.name, pipe];
      }),
    ),
  );
  return {
    call: (name, text) => pipes.get(name).callTool("echo", { text }),
    close: () => Promise.all([...pipes.values()].map((pipe) => pipe.close())),
  };
}
