/**
 * The smallest useful stdio MCP server: one tool, `echo`, no dependencies. It answers a whole chunk of requests with one
 * write, so that the client and the pipe are measured. It exits when its input ends. `--slow <ms>` delays its start;
 * `--stubborn` makes it ignore the end of its input and SIGTERM.
 */
import { setTimeout as delay } from "node:timers/promises";
import { outcomeOf } from "./tiny-outcome.mjs";

const words = process.argv.slice(2);
if (words.includes("--stubborn")) {
  process.on("SIGTERM", () => {});
  setInterval(() => {}, 60_000);
}
if (words.includes("--slow")) await delay(Number(words[words.indexOf("--slow") + 1]));

let unfinished = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  const lines = (unfinished + chunk).split("\n");
  unfinished = lines.pop() ?? "";
  let replies = "";
  for (const line of lines) if (line !== "") replies += replyTo(JSON.parse(line));
  if (replies !== "") process.stdout.write(replies);
});

function replyTo({ id, method, params }) {
  if (id === undefined || method === undefined) return ""; // a notification, or an unexpected response
  const outcome = outcomeOf(method, params);
  return `${JSON.stringify({ jsonrpc: "2.0", id, ...outcome })}\n`;
}
