import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { createHost } from "plugboard";

if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url));
  worker.on("message", (message) => {
    if (message.state) console.log(`${message.server} is ${message.state}`);
    else console.log(message.text);
    if (message.text) worker.postMessage("close");
  });
  worker.postMessage({ server: "clock", tool: "now" });
} else {
  const host = await createHost({
    discover: false,
    servers: { clock: { command: "node", args: ["clock-server.mjs"], env: { ZONE: "UTC" } } },
  });
  host.subscribe((event) => {
    if (event.type === "server.state") parentPort.postMessage(event); // events are plain data
  });
  const answer = async (message) => {
    if (message !== "close") {
      const { text } = await host.call(message.server, message.tool);
      parentPort.postMessage({ text });
      return;
    }
    await host.close(); // before the thread ends
    parentPort.close();
  };
  parentPort.on("message", (message) => void answer(message));
}
