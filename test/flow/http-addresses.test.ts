import { lookup } from "node:dns/promises";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, expect, test } from "vitest";
import { serveRaw } from "../support/raw-http.ts";
import { createSandbox } from "../support/sandbox.ts";
import { tlsOf } from "../support/tls-files.ts";
import { type Failure, failureOf, hostIn } from "./host-in.ts";

/** Names for this machine's IPv6 address, as far as it has one. */
const names = [
  ...(Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === "::1"))
    ? ["[::1]"]
    : []),
  ...((await lookup("localhost", { all: true })).some(({ address }) => address === "::1")
    ? ["localhost"]
    : []),
];

async function failureAt(url: string, headers: Record<string, string> = {}): Promise<Failure> {
  await using sandbox = await createSandbox();
  await using host = await hostIn(sandbox, { servers: { web: { type: "http", url, headers } } });
  return await failureOf(host.connect("web"));
}

describe("a server on this machine", () => {
  test.each(names)("that listens on IPv6 only is reached as %s", async (name) => {
    await using sandbox = await createSandbox();
    await using server = await serveRaw({ host: "::1" });
    const servers = { web: { type: "http", url: `http://${name}:${server.port}/mcp` } } as const;
    await using host = await hostIn(sandbox, { servers });
    expect(await host.call("web", "echo", { text: "six" })).toMatchObject({ text: "six" });
  });

  test("that listens on IPv4 only is reached as localhost", async () => {
    await using sandbox = await createSandbox();
    await using server = await serveRaw();
    const servers = { web: { type: "http", url: `http://localhost:${server.port}/mcp` } } as const;
    await using host = await hostIn(sandbox, { servers });
    expect(await host.call("web", "echo", { text: "four" })).toMatchObject({ text: "four" });
  });
});

describe("connection errors explain the cause:", () => {
  test("an unknown host", async () => {
    expect(await failureAt("http://nobody.invalid/mcp")).toMatchObject({
      code: "CONNECT_UNREACHABLE",
      message: expect.stringMatching(
        /: the host of http:\/\/nobody\.invalid\/mcp could not be resolved \((ENOTFOUND|EAI_AGAIN)\)$/,
      ),
      hint: "Check the host name and your network connection.",
    });
  });

  test.each([
    ["self-signed.pem", "is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT)"],
    ["server.pem", "was issued by an unknown authority (UNABLE_TO_VERIFY_LEAF_SIGNATURE)"],
  ])("a certificate that is not trusted: %s", async (certificate, words) => {
    await using server = await serveRaw({ tls: tlsOf(certificate) });
    expect(await failureAt(server.url)).toMatchObject({
      code: "CONNECT_UNREACHABLE",
      message: `Failed to connect to "web": the certificate of ${server.url} ${words}`,
      hint: expect.stringContaining("NODE_EXTRA_CA_CERTS"),
    });
    expect(server.asked).toEqual([]);
  });

  test("https to a server that uses http, and the other way round", async () => {
    await using plain = await serveRaw();
    await using secure = await serveRaw({ tls: tlsOf("server.pem") });
    expect(await failureAt(plain.url.replace("http:", "https:"))).toMatchObject({
      code: "CONNECT_UNREACHABLE",
      hint: "Check whether the url should start with http:// instead of https://.",
    });
    expect(["CONNECT_UNREACHABLE", "CONNECT_FAILED"]).toContain(
      (await failureAt(secure.url.replace("https:", "http:"))).code,
    );
  });

  test("a server that does not use HTTP", async () => {
    const server = createServer((socket) => void socket.end("SSH-2.0-OpenSSH_9.9\r\n"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    expect(await failureAt(`http://127.0.0.1:${port}/`)).toMatchObject({
      code: "CONNECT_UNREACHABLE",
      message: expect.stringContaining("does not use HTTP (HPE_INVALID_CONSTANT)"),
      hint: "Check whether the url should start with https:// instead of http://.",
    });
    server.close();
  });

  test("a header that cannot be sent", async () => {
    await using server = await serveRaw();
    expect(await failureAt(server.url, { "x-key": "two\nlines" })).toMatchObject({
      message: expect.stringContaining("contains a character that is not allowed"),
      hint: "Check the headers in the server's entry.",
    });
  });
});
