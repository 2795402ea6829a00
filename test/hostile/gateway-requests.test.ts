import { connect } from "node:net";
import { expect, test } from "vitest";
import { gatewayIn } from "../support/gateway-clients.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const MB = 1024 * 1024;

async function serve(sandbox: Sandbox) {
  const gateway = await gatewayIn(sandbox, { servers: { tools: stdioServer("tools-server.mjs") } });
  const { url, token } = await gateway.listen({ port: 0 });
  const post = async (path: string, message: object) => {
    const response = await fetch(new URL(path, url), {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
    });
    return { status: response.status, body: JSON.parse(await response.text()) as object };
  };
  return { url: new URL(url), token, post, [Symbol.asyncDispose]: () => gateway.close() };
}

test("a name of more than 1,024 characters is refused wherever a client may send one", async () => {
  await using sandbox = await createSandbox();
  await using gateway = await serve(sandbox);
  const long = "Σ".repeat(1_025);
  const error = { code: -32602, message: "A name is longer than 1024 characters." };
  for (const path of ["/mcp", "/mcp/s/tools"])
    for (const message of [
      { method: long },
      { method: "tools/call", params: { name: long, arguments: {} } },
      { method: "prompts/get", params: { name: long } },
      { method: "completion/complete", params: { ref: { type: "ref/prompt", name: long } } },
    ])
      expect((await gateway.post(path, message)).body).toMatchObject({ id: 1, error });
});

test("long messages that a client sends slowly take a limited amount of memory", async () => {
  await using sandbox = await createSandbox();
  await using gateway = await serve(sandbox);
  const { url, token, post } = gateway;
  const open = Array.from({ length: 20 }, () => {
    const socket = connect(Number(url.port), url.hostname);
    socket.on("error", () => {}); // refused
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${4 * MB}\r\n\r\n`,
    );
    return new Promise<string>((resolve) => {
      socket.once("data", (chunk: Buffer) => resolve(chunk.toString().split("\r\n", 1)[0] ?? ""));
      setTimeout(() => resolve("is being read"), 1_500).unref();
    }).finally(() => socket.destroy());
  });
  const short = await post("/mcp", { method: "ping" });
  expect(short.status).toBe(200);
  const answers = await Promise.all(open);
  expect(answers.filter((answer) => answer === "is being read")).toHaveLength(8);
  expect(answers.filter((answer) => answer === "HTTP/1.1 503 Service Unavailable")).toHaveLength(12);
});
