import { connect, createServer, type Socket } from "node:net";
import { findFreePort } from "./find-free-port.ts";

/** A connection to a database that can fail in several ways. */
export interface DatabaseProxy extends AsyncDisposable {
  readonly url: string;
  /** Ends all connections and accepts no new one. */
  cut(): void;
  /** Keeps all connections and accepts new ones, but passes nothing on. */
  stall(): void;
  /** Ends the connections that exist. New ones work. */
  drop(): void;
  /** Works again. What was held back is passed on. */
  restore(): void;
  /** Sends new connections to another server. */
  redirect(url: string): void;
}

export async function startDatabaseProxy(url: string): Promise<DatabaseProxy> {
  let target = new URL(url);
  let mode: "open" | "cut" | "stall" = "open";
  const sockets = new Set<Socket>();
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const add = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    if (mode === "stall") socket.pause();
  };
  const server = createServer((client) => {
    if (mode === "cut") return void client.destroy();
    const upstream = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on("data", (chunk: Buffer) => void to.write(chunk));
      from.on("close", () => to.destroy());
      add(from);
    }
  });
  const port = await findFreePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const own = new URL(url);
  own.host = `127.0.0.1:${port}`;
  return {
    url: own.href,
    cut() {
      mode = "cut";
      drop();
    },
    stall() {
      mode = "stall";
      for (const socket of sockets) socket.pause();
    },
    drop,
    restore() {
      mode = "open";
      for (const socket of sockets) socket.resume();
    },
    redirect(next) {
      target = new URL(next);
    },
    async [Symbol.asyncDispose]() {
      drop();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
