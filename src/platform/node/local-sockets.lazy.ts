import { randomBytes } from "node:crypto";
import { chmod, lstat, rename, unlink } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { codeOf } from "../../model/index.ts";
import { LineSplitter, type LocalListener, type LocalSocket, type LocalSockets } from "../index.ts";

/** Longer lines end the connection. */
const LONGEST_LINE = 16 * 1024 * 1024;
const PIPE = "\\\\.\\pipe\\";

/** Unix sockets, or named pipes on Windows. */
export const nodeLocalSockets: LocalSockets = {
  connect: (address) =>
    new Promise((resolve, reject) => {
      const socket = connect(address);
      socket.once("error", reject);
      socket.once("connect", () => {
        socket.off("error", reject);
        resolve(toLocalSocket(socket));
      });
    }),
  async listen(address, onConnection) {
    const open = new Set<Socket>();
    const server = createServer((socket) => {
      open.add(socket);
      socket.once("close", () => open.delete(socket));
      onConnection(toLocalSocket(socket));
    });
    const isPipe = address.startsWith(PIPE);
    // Node removes the path that it bound when the server closes. The path may belong to another process by then.
    const bound = isPipe ? address : `${address}.${randomBytes(4).toString("hex")}`;
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(bound, resolve);
    });
    const inode = isPipe ? undefined : await publish(bound, address);
    const isReachable = async (): Promise<boolean> => (await inodeOf(address)) === inode;
    const withdraw = async (): Promise<void> => {
      if (inode !== undefined && (await isReachable())) await unlink(address).catch(() => {});
    };
    return {
      isReachable: async () => isPipe || isReachable(),
      withdraw,
      async close() {
        await withdraw();
        for (const socket of open) socket.destroy();
        await new Promise<void>((resolve) => server.close(() => resolve()));
      },
    } satisfies LocalListener;
  },
};

async function publish(bound: string, address: string): Promise<number | undefined> {
  await chmod(bound, 0o600);
  await rename(bound, address);
  return inodeOf(address);
}

async function inodeOf(path: string): Promise<number | undefined> {
  try {
    return (await lstat(path)).ino;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function toLocalSocket(socket: Socket): LocalSocket {
  const unread: string[] = [];
  let take: (line: string) => void = (line) => void unread.push(line);
  const splitter = new LineSplitter(LONGEST_LINE);
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    const lines = splitter.push(chunk);
    if (lines === undefined) return void socket.destroy();
    for (const line of lines) take(line);
  });
  const ended = new Promise<void>((resolve) => {
    socket.once("close", () => resolve());
  });
  socket.on("error", () => socket.destroy()); // `ended` tells
  return {
    ended,
    send(line) {
      if (!socket.destroyed) socket.write(`${line}\n`);
      return socket.writableLength;
    },
    nextLine: () =>
      new Promise((resolve) => {
        const first = unread.shift();
        if (first !== undefined) return resolve(first);
        void ended.then(() => resolve(undefined));
        take = (line) => {
          take = (later) => void unread.push(later);
          resolve(line);
        };
      }),
    onLine(listener) {
      take = listener;
      for (const line of unread.splice(0)) listener(line);
    },
    close: () => socket.destroySoon(),
    hold: (isHeld) => void (isHeld ? socket.ref() : socket.unref()),
  };
}
