/** A tiny server that sends a log message and a progress notification every twenty milliseconds. */
import "./tiny.mjs";

const everyMs = 20;
let count = 0;

setInterval(() => {
  count += 1;
  const data = `step ${count}: ${"something happened ".repeat(5)}`;
  process.stdout.write(
    `${notice("message", { level: "info", logger: "chatty", data })}${notice("progress", { progressToken: 1, progress: count, total: 1e6, message: data })}`,
  );
}, everyMs).unref();

function notice(method, params) {
  return `${JSON.stringify({ jsonrpc: "2.0", method: `notifications/${method}`, params })}\n`;
}
