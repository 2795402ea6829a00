import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventually } from "../flow/host-in.ts";
import { daemonIn, daemonStatus } from "../support/daemon-in.ts";
import { PageClient } from "../support/page-client.ts";
import { runCli, startCli } from "../support/run-cli.ts";
import { createSandboxInCi, type Sandbox } from "../support/sandbox.ts";

async function withServer(): Promise<Sandbox> {
  const sandbox = await createSandboxInCi();
  await sandbox.writeHome(".plugboard/mcp.json", { mcpServers: { mine: { command: "true" } } });
  return sandbox;
}

/** Returns the value of a member of a JSON document that a running program prints. */
const printed = (output: string, key: string): string => {
  const [, value] = new RegExp(`"${key}": "([^"]+)"`).exec(output) ?? [];
  return value ?? expect.fail(output);
};

test("without a daemon, the dashboard is served until Ctrl-C", async () => {
  await using sandbox = await withServer();
  await using cli = startCli(["dashboard", "--json"], { sandbox });
  const page = new PageClient(await eventually(() => printed(cli.output(), "address")));
  expect((await page.signIn()).json).toMatchObject({ role: "administrator", folder: sandbox.project });
  expect((await page.get("servers")).json).toMatchObject({ servers: [{ name: "mine" }] });
  cli.child.kill("SIGINT");
  expect(await cli.ended).toMatchObject({ code: 130 });
  expect((await daemonStatus(sandbox)).running).toBe(false);
});

test("with a daemon, the dashboard shows its servers, once per folder, and the command ends", async () => {
  await using sandbox = await withServer();
  await using _ = await daemonIn(sandbox);
  const open = async (...flags: string[]): Promise<PageClient> => {
    const { code, stdout } = await runCli(["dashboard", "--json", ...flags], { sandbox });
    expect(code).toBe(0);
    return new PageClient(printed(stdout, "address"));
  };
  const [page, readOnly] = [await open(), await open("--read-only")];
  expect(readOnly.base).toBe(page.base);
  await page.signIn();
  expect((await page.get("servers")).json).toMatchObject({ servers: [{ name: "mine" }] });
  expect((await readOnly.signIn()).json).toMatchObject({ role: "auditor", rights: [] });
  expect(await readOnly.post("servers/mine/disable")).toMatchObject({
    status: 403,
    json: { error: { code: "PAGE_NOT_ALLOWED" } },
  });
});

test("a running gateway's dashboard is opened by its address; other users' programs cannot open it", async () => {
  await using sandbox = await withServer();
  await using cli = startCli(["serve", "--http", ":0", "--json"], { sandbox });
  const url = await eventually(() => printed(cli.output(), "url"));
  const { code, stdout } = await runCli(["dashboard", "--no-open", "--url", url], { sandbox });
  expect(code).toBe(0);
  const page = new PageClient(/^http:\S+$/m.exec(stdout)?.[0] ?? expect.fail(stdout));
  expect((await page.signIn()).status).toBe(200);
  await using other = await createSandboxInCi();
  const refused = await runCli(["dashboard", "--url", url], { sandbox: other });
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("it refused the request") });
  expect(await readdir(join(sandbox.home, ".local/state/plugboard/run"))).toContain("dashboard-key");
});

test("if nothing listens at the address, the error explains that", async () => {
  await using sandbox = await createSandboxInCi();
  expect(await runCli(["dashboard", "--url", "http://127.0.0.1:1"], { sandbox })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Nothing is listening at http://127.0.0.1:1."),
  });
});

test.each([
  [["--url", "https://127.0.0.1:1"]],
  [["--url", "http://gateway.example:7420"]],
  [["--url", "http://127.0.0.1.evil.example"]],
  [["--url", "http://127.0.0.1:1", "--alone"]],
  [["extra"]],
])("plugboard dashboard %j is a usage error", async (words) => {
  await using sandbox = await createSandboxInCi();
  expect(await runCli(["dashboard", ...words], { sandbox })).toMatchObject({ code: 2 });
});
