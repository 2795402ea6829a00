import { type LookupAllOptions, lookup } from "node:dns";
import { existsSync } from "node:fs";
import { createServer, request } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createForwardProxy } from "./forward-proxy.lazy.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function web(): Promise<number> {
  const server = createServer((asked, response) => response.end(`${asked.headers.host} ${asked.url}`));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** Knows `api.example` besides the names of this machine. */
const lookUpName = ((name: string, options: LookupAllOptions, done: (...result: unknown[]) => void) => {
  if (name === "api.example") done(null, [{ address: "192.0.2.7", family: 4 }]);
  else if (name.endsWith(".invalid")) done(Object.assign(new Error(name), { code: "ENOTFOUND" }), []);
  else lookup(name, options, done);
}) as typeof lookup;

async function proxy(allow: { host?: boolean; address?: boolean } = {}) {
  const denied: string[] = [];
  const running = await createForwardProxy(lookUpName).listen(
    {
      allowHost: () => allow.host ?? true,
      allowAddress: () => allow.address ?? true,
      portsOf: () => (allow.host === false ? [] : [80, 443]),
      onDenied: (host, port) => void denied.push(`${host}:${port}`),
    },
    "socket",
  );
  closing.unshift(() => running.close());
  return { socketPath: String(running.address), denied, running };
}

const get = (socketPath: string, path: string, headers = {}): Promise<string> =>
  new Promise((resolve, reject) => {
    request({ socketPath, path, headers }, (response) => {
      let text = `${response.statusCode} `;
      response.on("data", (chunk) => (text += chunk)).on("end", () => resolve(text));
    })
      .on("error", reject)
      .end();
  });

const send = (socketPath: string, text: string): Promise<string> =>
  new Promise((resolve) => {
    let got = "";
    const socket = connect(socketPath).on("data", (chunk) => (got += chunk));
    socket.on("close", () => resolve(got)).on("error", () => resolve(got));
    socket.write(text);
  });

test("forwards a request with the host that was checked", async () => {
  const port = await web();
  const { socketPath } = await proxy();
  expect(await get(socketPath, `http://localhost:${port}/a?b=1`, { host: "other.example" })).toBe(
    `200 localhost:${port} /a?b=1`,
  );
});

test.each([
  [{}, "api.example", "200 OK", "plugboard-ports: 80,443"],
  [{}, "does-not-exist.invalid", "404 Not Found", ""],
  [{ address: false }, "api.example", "403 Forbidden", ""],
  [{ host: false }, "api.example", "403 Forbidden", "not allowed"],
])("resolves a host without connecting, and returns no address: %j %s", async (allow, name, status, text) => {
  const { socketPath } = await proxy(allow);
  const got = await send(socketPath, `CONNECT ${name}:0 HTTP/1.1\r\n\r\n`);
  expect(got).toMatch(new RegExp(`^HTTP/1.1 ${status}\r\n`));
  expect(got).toContain(text);
  expect(got).not.toContain("192.0.2.7");
});

test("tunnels a connection", async () => {
  const port = await web();
  const { socketPath } = await proxy();
  const text = await send(
    socketPath,
    `CONNECT localhost:${port} HTTP/1.1\r\n\r\nGET /in HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
  );
  expect(text).toMatch(/^HTTP\/1\.1 200 [\s\S]*x \/in/);
});

test.each([
  ["a host that is not allowed", { host: false }, "localhost"],
  ["a name with an address that is not allowed", { address: false }, "localhost"],
  ["an address that is not allowed", { address: false }, "127.0.0.1"],
  ["another spelling of an address that is not allowed", { address: false }, "0x7f.1"],
])("refuses and reports %s", async (_, allow, host) => {
  const port = await web();
  const { socketPath, denied } = await proxy(allow);
  expect(await get(socketPath, `http://${host}:${port}/`)).toMatch(/^403 Plugboard: /);
  expect(await send(socketPath, `CONNECT ${host}:${port} HTTP/1.1\r\n\r\n`)).toMatch(/^HTTP\/1\.1 403 /);
  expect(denied).toHaveLength(2);
  expect(denied[0]).toMatch(new RegExp(`^(localhost|127\\.0\\.0\\.1|::1):${port}$`));
});

test.each([
  ["GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n", /^HTTP\/1\.1 400/],
  ["GET ftp://localhost/ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n", /^HTTP\/1\.1 400/],
  ["GET http://user:pass@localhost/ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n", /^HTTP\/1\.1 400/],
  ["CONNECT user@localhost:80 HTTP/1.1\r\n\r\n", /^HTTP\/1\.1 403/],
  ["CONNECT / HTTP/1.1\r\n\r\n", /^HTTP\/1\.1 403/],
  ["nonsense\r\n\r\n", /^HTTP\/1\.1 400/],
])("refuses %j", async (text, expected) => {
  const { socketPath } = await proxy();
  expect(await send(socketPath, text)).toMatch(expected);
});

test("closing ends open tunnels and removes the socket", async () => {
  const port = await web();
  const { socketPath, running } = await proxy();
  const tunnel = send(socketPath, `CONNECT localhost:${port} HTTP/1.1\r\n\r\n`);
  await get(socketPath, `http://localhost:${port}/`);
  await running.close();
  await tunnel;
  expect(existsSync(socketPath)).toBe(false);
});

test.each(["HTTP/1.1 000 X", "HTTP/1.1 099 X", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 000 X"])(
  "a host that answers with an invalid status does not end the process: %j",
  async (answer) => {
    const host = createTcpServer((socket) =>
      socket.once("data", () => socket.end(`${answer}\r\ncontent-length: 0\r\n\r\n`)),
    );
    await new Promise<void>((done) => host.listen(0, "127.0.0.1", done));
    closing.push(() => host.close());
    const { socketPath } = await proxy();
    const target = `http://localhost:${(host.address() as AddressInfo).port}/`;
    expect(await get(socketPath, target)).toBe("502 Plugboard: the host answered with an invalid status\n");
  },
);
