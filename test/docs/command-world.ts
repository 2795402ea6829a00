import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { type ServerScript, serveHttp } from "../../src/testing/index.ts";
import { startModel } from "../adapters/model-server.ts";
import { startOauthServer } from "../support/oauth-server.ts";
import { startRegistry } from "../support/registry-server.ts";
import { createSandboxInCi, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

const program = resolve("dist/surfaces/cli/main.cjs");
const filesystem = resolve("node_modules/@modelcontextprotocol/server-filesystem/dist/index.js");
const everything = resolve("node_modules/@modelcontextprotocol/server-everything/dist/index.js");
const ADVISORIES = [{ id: "MAL-2026-1", affected: [{ package: { ecosystem: "npm", name: "evil" } }] }];

/** A server with the offers that the documents name. */
const SCRIPT: ServerScript = {
  name: "docs",
  version: "1.0.0",
  tools: {
    search: {
      description: "Searches.",
      inputSchema: { type: "object", properties: { q: { type: "string" } } },
      run: () => "found",
    },
  },
  resources: {
    "note://welcome": { name: "Welcome", text: "hello" },
    "note://a": { name: "A", text: "a" },
    "note://b": { name: "B", text: "b" },
  },
  prompts: {
    summarize: {
      arguments: [{ name: "topic", required: true }],
      text: ({ topic }) => `Summarize ${String(topic)}.`,
    },
  },
};

/** The servers, models and registries that the commands in the documents use. */
export interface CommandWorld extends AsyncDisposable {
  /** The address of a remote server, for those in the documents that do not exist. */
  readonly url: string;
  /** The home and the project of a reader, and what `github` is there: a server of the user, of the project, or one that requires a sign-in. */
  reader(github: "own" | "project" | "remote"): Promise<Sandbox>;
}

export async function createCommandWorld(): Promise<CommandWorld> {
  const cache = await createSandboxInCi(); // compiled code and lists are the same for everyone
  const docs = await serveHttp(SCRIPT);
  const oauth = await startOauthServer();
  const model = await startModel(
    Array.from({ length: 40 }, () => ({ text: "An answer." })),
    { models: ["qwen3"] },
  );
  const packages = await startVersions();
  const server = {
    name: "io.github.acme/weather",
    version: "1.0.0",
    packages: [{ registryType: "npm", identifier: "weather", version: "1.0.0" }],
  };
  const registry = await startRegistry([{ server }]);
  const bin = join(cache.home, "bin");
  mkdirSync(bin);
  const onPath = (name: string, script: string): void =>
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  onPath("plugboard", `exec '${process.execPath}' '${program}' "$@"`);
  // The packages are already installed here. Like npm, this script starts the server through a shell.
  onPath(
    "npx",
    `case "$1 $2" in
      "-y @modelcontextprotocol/server-filesystem"*) file='${filesystem}' ;;
      "-y @modelcontextprotocol/server-everything"*) file='${everything}' ;;
      *) exit 0 ;;
    esac
    npm_lifecycle_event=npx exec "\${npm_config_script_shell:-sh}" -c '"$@"' - '${process.execPath}' "$file" $3`,
  );

  return {
    url: docs.url,
    async reader(github) {
      const sandbox = await createSandboxInCi();
      const remote = { type: "http", url: docs.url };
      const local = stdioServer("tools-server.mjs");
      const files = ["-y", "@modelcontextprotocol/server-filesystem@2025.7.29", "."];
      const env = { TOKEN: "${GITHUB_TOKEN}" };
      await sandbox.writeHome(".plugboard/mcp.json", {
        mcpServers: {
          files: { command: "npx", args: files, env, timeout: 30_000 },
          docs: remote,
          repo: remote,
          ...(github === "remote" && { github: { url: oauth.url } }),
        },
        bundles: { repoRead: { serverId: "repo", allowTools: ["read_*"] } },
      });
      if (github === "project") {
        await sandbox.writeProject(".mcp.json", { mcpServers: { github: local } });
        const looped = { trust: "trusted", transport: { type: "stdio", ...local } };
        await sandbox.writeProject("codex-toolloop.mcp.json", { servers: { looped } });
      }
      await sandbox.writeHome(".plugboard/settings.json", { registry: registry.url, minimumReleaseDays: 0 });
      await sandbox.writeHome(".npmrc", `registry=${packages.url}/\n`);
      const others = { mcpServers: { theirs: remote, ...(github === "own" && { github: remote }) } };
      for (const file of [
        ".cursor/mcp.json",
        ".claude.json",
        ".config/Claude/claude_desktop_config.json",
        ".omp/mcp.json",
      ])
        await sandbox.writeHome(file, others);
      await sandbox.writeHome(".config/Code/User/mcp.json", { servers: { theirs: remote } });
      await sandbox.writeHome(".config/opencode/opencode.json", {
        mcp: { theirs: { type: "remote", url: docs.url } },
      });
      await sandbox.writeProject("README.md", "# A project\n");
      await sandbox.writeProject("prompt.txt", "Hello\n");
      await sandbox.writeProject("advisories.json", ADVISORIES);
      // The example finds its packages as it would in a project that has them.
      cpSync("examples/own-server.mjs", join(sandbox.project, "own-server.mjs"));
      symlinkSync(resolve("node_modules"), join(sandbox.project, "node_modules"));
      const environment = {
        ...sandbox.env(),
        PATH: `${bin}:${process.env["PATH"] ?? ""}`,
        XDG_CACHE_HOME: join(cache.home, ".cache"),
        ANTHROPIC_API_KEY: "key",
        ANTHROPIC_BASE_URL: model.url,
        OLLAMA_HOST: model.url,
        ISSUES_TOKEN: "token",
        GITHUB_TOKEN: "token",
      };
      return { ...sandbox, env: () => environment };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([
        docs.close(),
        oauth[Symbol.asyncDispose](),
        model[Symbol.asyncDispose](),
        registry.stop(),
        packages.stop(),
      ]);
      await cache[Symbol.asyncDispose]();
    },
  };
}

/** An npm registry that knows a newer version of every package. Nothing is downloaded from it. */
async function startVersions(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const versions = Object.fromEntries(["2025.7.29", "2025.8.21"].map((version) => [version, { version }]));
  const http = createServer((_, response) =>
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ versions, "dist-tags": { latest: "2025.8.21" } })),
  );
  await new Promise<void>((done) => http.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((done) => {
        http.closeAllConnections();
        http.close(() => done());
      }),
  };
}
