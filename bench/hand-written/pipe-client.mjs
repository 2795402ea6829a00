/**
 * The baseline over stdio: an MCP client that sends only the protocol's bytes. No validation, no
 * timeouts, no error handling beyond a rejected call; not for production.
 */
import { spawn } from "node:child_process";

/** Starts a server and initialises it. `close` waits until the server has exited. */
export async function openPipe({ command, args }) {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const waiting = new Map();
  let lastId = 0;
  let unfinished = "";
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (chunk) => {
    const lines = (unfinished + chunk).split("\n");
    unfinished = lines.pop() ?? "";
    for (const line of lines) {
      const { id, result, error } = JSON.parse(line);
      const { resolve, reject } = waiting.get(id);
      waiting.delete(id);
      if (error === undefined) resolve(result);
      else reject(new Error(error.message));
    }
  });

  function request(method, params) {
    return new Promise((resolve, reject) => {
      const id = ++lastId;
      waiting.set(id, { resolve, reject });
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  }

  await request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "hand-written", version: "1.0.0" },
  });
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');

  return {
    listTools: () => request("tools/list", {}),
    callTool: (name, args) => request("tools/call", { name, arguments: args }),
    close() {
      child.stdin.end();
      return exited;
    },
  };
}
