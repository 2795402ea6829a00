import { createServer } from "node:net";

/** Ports that no system hands out by itself: not to a server that takes any, not to the near end of a connection. */
const FIRST = 12_000;
const COUNT = 20_000;

/** A port that nobody has, and that stays free between its uses. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}
