/**
 * The smallest useful stdio MCP server: one tool, `echo`, no dependency. It answers a whole chunk of requests with one
 * write, so that what is measured is the client and the pipe. It ends when its input ends.
 */
import { outcomeOf } from "./tiny-outcome.mjs";

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
  if (id === undefined || method === undefined) return ""; // a notification, or an answer to nothing we asked
  const outcome = outcomeOf(method, params);
  return `${JSON.stringify({ jsonrpc: "2.0", id, ...outcome })}\n`;
}
