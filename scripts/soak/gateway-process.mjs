/** The gateway under load, in a process of its own: `gateway-process.mjs <home> <servers>`. Its parent asks with messages. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createGateway } from "../../dist/gateway.js";

const [home, servers] = process.argv.slice(2);
const small = fileURLToPath(new URL("../../test/torture/small-server.mjs", import.meta.url));
const entry = { command: process.execPath, args: [small], timeout: 10_000 };
const gateway = await createGateway({
  cwd: home,
  env: { PATH: process.env.PATH, HOME: home, PLUGBOARD_KEYCHAIN: "off" },
  discover: false,
  servers: Object.fromEntries(Array.from({ length: Number(servers) }, (_, index) => [`s${index}`, entry])),
  offer: { waitMs: 60_000 },
});

const ANSWERS = {
  async listen() {
    const { url, token } = await gateway.listen({ port: 0 });
    return { url, token };
  },
  async sample() {
    globalThis.gc();
    await new Promise((resolve) => setImmediate(resolve));
    globalThis.gc();
    return {
      heapMb: process.memoryUsage().heapUsed / 1e6,
      descriptors: readdirSync("/proc/self/fd").length,
      children: childrenOf(process.pid),
    };
  },
  async close() {
    await gateway.close();
    await new Promise((resolve) => setTimeout(resolve, 500));
    setImmediate(() => process.disconnect());
    return { left: childrenOf(process.pid) };
  },
};
process.on("message", (question) => void ANSWERS[question]().then((answer) => process.send(answer)));

function childrenOf(pid) {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const [state, parent] = readFileSync(`/proc/${name}/stat`, "utf8").split(") ")[1].split(" ");
        return parent === String(pid) && state !== "Z";
      } catch {
        return false; // it ended
      }
    }).length;
}
