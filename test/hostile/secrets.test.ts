import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serveHttp } from "../../src/testing/index.ts";
import { LONGEST_MS } from "../durability/counts.ts";
import { hostIn } from "../flow/host-in.ts";
import { runCli } from "../support/run-cli.ts";
import { createSandbox } from "../support/sandbox.ts";

/** One for each place that a secret is stored in. */
const SECRETS = Object.fromEntries(
  "env variable envFile argument header headerVariable query urlVariable password oauth"
    .split(" ")
    .map((place, at) => [place, `canary-${place}-8d2f0${at}`]),
) as Record<string, string>;

/** Prints everything it received, and exits. */
const TELLS = "console.error(JSON.stringify([process.argv, process.env])); process.exit(1)";

test(
  "commands neither print nor store a secret, however its server repeats it",
  async () => {
    await using sandbox = await createSandbox();
    await using server = await serveHttp(
      { name: "x", version: "1", tools: {} },
      {
        guard: ({ url, headers }) =>
          url?.includes("refuse") ? 401 : headers["x-key"] === undefined ? 403 : 500,
      },
    );
    const { host } = new URL(server.url);
    await sandbox.writeHome("secrets.env", `FROM_FILE=${SECRETS["envFile"]}\n`);
    await sandbox.writeHome(".plugboard/mcp.json", {
      mcpServers: {
        program: {
          command: process.execPath,
          args: ["-e", TELLS, "--", `--token=${SECRETS["argument"]}`, "${MY_VARIABLE}"],
          env: { KEY: SECRETS["env"], TWO: "${MY_VARIABLE}" },
          envFile: join(sandbox.home, "secrets.env"),
        },
        remote: {
          type: "http",
          url: `${server.url}?api_key=${SECRETS["query"]}`,
          headers: { Authorization: `Bearer ${SECRETS["header"]}`, "X-Key": "${MY_HEADER}" },
        },
        path: { type: "http", url: `http://${host}/refuse/\${MY_PATH_TOKEN}` },
        inside: { type: "http", url: `http://me:${SECRETS["password"]}@${host}/mcp` },
        signIn: { type: "http", url: server.url, oauth: { clientId: "x", clientSecret: SECRETS["oauth"] } },
      },
    });
    const env = {
      MY_VARIABLE: SECRETS["variable"] ?? "",
      MY_HEADER: SECRETS["headerVariable"] ?? "",
      MY_PATH_TOKEN: SECRETS["urlVariable"] ?? "",
    };
    const names = ["program", "remote", "path", "inside", "signIn"];
    const runs = [
      ["list", "--all"],
      ["status"],
      ["doctor"],
      ["tools"],
      ...names.flatMap((name) => [
        ["test", name],
        ["explain", name],
        ["call", name, "x"],
      ]),
      ["logs", "program"],
    ];
    const said: string[] = [];
    for (const [at, words] of runs.entries()) {
      const flag = at % 2 === 0 ? "--json" : "--verbose";
      const { stdout, stderr } = await runCli([...words, flag], { sandbox, env });
      said.push(`${words.join(" ")} ${flag}\n${stdout}${stderr}`);
    }
    const folders = [".local", ".cache"].map((folder) => join(sandbox.home, folder));
    for (const folder of folders) {
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
        if (entry.isFile())
          said.push(`${entry.name}\n${await readFile(join(entry.parentPath, entry.name), "utf8")}`);
    }
    const leaks = said.flatMap((text) =>
      Object.entries(SECRETS).flatMap(([place, secret]) =>
        text.includes(secret) ? [`${place} in ${text}`] : [],
      ),
    );
    expect(leaks).toEqual([]);
    expect(said.join("\n")).toContain("[secret]"); // it was repeated, and masked
  },
  LONGEST_MS,
);

test.each([
  [
    "plugboard",
    ".plugboard/mcp.json",
    { mcpServers: { x: { transport: { command: "x", env: { A: "canary" } } } } },
  ],
  [
    "codex-toolloop",
    "codex-toolloop.mcp.json",
    {
      servers: {
        x: { trust: "trusted", transport: { type: "http", url: "http://h.test", headers: { A: "canary" } } },
      },
    },
  ],
  [
    "opencode",
    "opencode.json",
    { mcp: { x: { type: "local", command: ["x"], environment: { A: "canary" } } } },
  ],
  ["zed", ".zed/settings.json", { context_servers: { x: { command: { path: "x", env: { A: "canary" } } } } }],
  [
    "goose",
    ".goose/config.yaml",
    "extensions: { x: { type: stdio, enabled: true, cmd: x, envs: { A: canary } } }",
  ],
  [
    "continue",
    ".continue/mcpServers/x.yaml",
    "mcpServers: [{ name: x, type: sse, url: 'http://h.test', requestOptions: { headers: { A: canary } } }]",
  ],
  [
    "codex",
    ".codex/config.toml",
    '[mcp_servers.x]\nurl = "http://h.test"\nhttp_headers = { A = "canary" }\n',
  ],
])("an approval of %s stores no env or header value, wherever the entry has it", async (_, file, content) => {
  await using sandbox = await createSandbox();
  await sandbox.writeProject(file, content);
  await using host = await hostIn(sandbox);
  await host.approvals.approve("x", host.approvals.request("x").hash);
  const kept = await readFile(join(sandbox.home, ".local/state/plugboard/approvals.json"), "utf8");
  expect(kept).toMatch(/"A": "\[value [0-9a-f]{8}\]"/);
  expect(kept).not.toContain("canary");
});
