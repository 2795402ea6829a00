// An MCP server that runs shell commands. `run` returns the exit code and the output, `fail` an error if the command fails.
import { spawnSync } from "node:child_process";
import { createInterface } from "node:readline";

const send = (id, result) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
const text = { type: "string" };
const tools = [
  { name: "run", inputSchema: { type: "object", properties: { command: text }, required: ["command"] } },
  {
    name: "fail",
    inputSchema: { type: "object", properties: { command: text, file: text }, required: ["command"] },
  },
];

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === "initialize")
    send(id, {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "probe", version: "1" },
    });
  else if (method === "tools/list") send(id, { tools });
  else if (method === "tools/call") {
    const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", params.arguments.command], {
      encoding: "utf8",
      timeout: 10_000,
    });
    const isError = params.name === "fail" && status !== 0;
    send(id, { content: [{ type: "text", text: `${status}\n${stdout}${stderr}` }], isError });
  } else
    process.stdout.write(
      `${JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "unknown" } })}\n`,
    );
});
