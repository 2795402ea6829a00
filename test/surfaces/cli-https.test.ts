import { expect, test } from "vitest";
import { type RawHttp, serveRaw } from "../support/raw-http.ts";
import { type CliResult, runCli } from "../support/run-cli.ts";
import { createSandbox } from "../support/sandbox.ts";
import { startProxy } from "../support/start-proxy.ts";
import { tlsFile, tlsOf } from "../support/tls-files.ts";

const TRUSTED = { NODE_EXTRA_CA_CERTS: tlsFile("ca.pem") };

async function call(url: string, env: Record<string, string> = {}): Promise<CliResult> {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { web: { type: "http", url } } });
  return await runCli(["call", "web", "echo", "text=hi"], { sandbox, env: { ...TRUSTED, ...env } });
}

function serve(certificate: string): Promise<RawHttp> {
  return serveRaw({ tls: tlsOf(certificate) });
}

test("a certificate authority in NODE_EXTRA_CA_CERTS is trusted", async () => {
  await using server = await serve("server.pem");
  expect(await call(server.url)).toMatchObject({ code: 0, stdout: "hi\n" });
});

test.each([
  ["expired.pem", "has expired or is not valid yet (CERT_HAS_EXPIRED)", "the server needs a new certificate"],
  ["other-host.pem", "is for another host", "another server may be using this address"],
])("an invalid certificate is refused: %s", async (certificate, words, hint) => {
  await using server = await serve(certificate);
  const { code, stderr } = await call(server.url);
  expect(code).toBe(1);
  expect(stderr).toContain(`the certificate of ${server.url} ${words}`);
  expect(stderr).toContain(hint);
  expect(server.asked).toEqual([]);
});

test("https uses a tunnel through the proxy, and the certificate is still checked", async () => {
  await using proxy = await startProxy();
  const env = { https_proxy: `http://me:hunter2hunter2@127.0.0.1:${proxy.port}` };
  await using server = await serve("server.pem");
  expect(await call(`https://mcp.test:${server.port}/mcp`, env)).toMatchObject({ code: 0, stdout: "hi\n" });
  expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT mcp.test:${server.port}`]));
  expect(proxy.credentials[0]).toBe(`Basic ${Buffer.from("me:hunter2hunter2").toString("base64")}`);

  await using impostor = await serve("other-host.pem");
  const { code, stderr } = await call(`https://mcp.test:${impostor.port}/mcp`, env);
  expect(code).toBe(1);
  expect(stderr).toContain("is for another host");
  expect(stderr).not.toContain("hunter2");
  expect(impostor.asked).toEqual([]);
});
