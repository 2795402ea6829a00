import { createServer } from "node:net";

/** Ports that no system assigns automatically, neither to a server with port 0 nor to an outgoing connection. */
const FIRST = 12_000;
const COUNT = 20_000;

/** Returns an unused port that stays free between uses. */
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
