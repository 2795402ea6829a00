import { execFileSync } from "node:child_process";
import { readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ApprovalRequest, Host, HostOptions } from "../../src/index.ts";
import { nodePorts } from "../../src/platform/node/index.ts";
import { reportTests } from "../durability/counts.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { failureOf, hostIn } from "./host-in.ts";

reportTests("changes of reader, entry or env file after an approval: all require approval again");

const NEW_NAMES = /^Server "tools" needs your approval: its envFile sets variables that were not approved/;

const UNSET = "(unset)";

/** A project whose server takes variables from a file of the repository. */
async function project(env: string | undefined, envFile = ".env"): Promise<Sandbox> {
  const sandbox = await createSandbox();
  await sandbox.writeProject(".plugboard/mcp.json", {
    mcpServers: { tools: { ...stdioServer("tools-server.mjs"), envFile } },
  });
  if (env !== undefined) await sandbox.writeProject(".env", env);
  return sandbox;
}

async function approveIn(sandbox: Sandbox, options?: HostOptions): Promise<void> {
  await using host = await hostIn(sandbox, options);
  await host.approvals.approve("tools", host.approvals.request("tools").hash);
}

const envOf = async (host: Host, name: string): Promise<string> =>
  (await host.call("tools", "env", { name })).text;
const stateOf = (host: Host): string | undefined => host.servers()[0]?.state;

describe("a project's envFile that was approved", () => {
  test("requires approval again for a variable that was added before another field was edited", async () => {
    await using sandbox = await project("A=1\n");
    await using open = await hostIn(sandbox);
    await open.approvals.approve("tools", open.approvals.request("tools").hash);
    await sandbox.writeProject(".env", "A=1\nADDED=/evil\n");
    await open.config.edit({ name: "tools", changes: [{ path: ["timeout"], value: 20_000 }] });
    await using host = await hostIn(sandbox);
    expect((await failureOf(host.call("tools", "env", { name: "ADDED" }))).message).toMatch(NEW_NAMES);
    await sandbox.writeProject(".env", "A=2\n");
    await host.reload();
    expect(await envOf(host, "A")).toBe("2");
  });

  test.each(["FEATURES", "ANYTHING"])(
    "requires approval again before it sets %s, which it did not set before",
    async (name) => {
      await using sandbox = await project("A=1\n");
      await approveIn(sandbox);
      await sandbox.writeProject(".env", `A=1\n${name}=/evil\n`);
      await using host = await hostIn(sandbox);
      expect(stateOf(host)).toBe("untrusted");
      const { code, message } = await failureOf(host.call("tools", "env", { name }));
      expect(code).toBe("INTERACTION_REQUIRED");
      expect(message).toMatch(NEW_NAMES);
      expect(message).toContain(name);
      expect(host.approvals.request("tools")).toMatchObject({
        status: "changed",
        changes: [{ field: "envFile variables", before: ["A"], after: ["A", name].sort() }],
      });
      await host.approvals.approve("tools", host.approvals.request("tools").hash);
      expect(await envOf(host, name)).toBe("/evil");
    },
  );

  test.each(["PYTHONUSERBASE", "BUNDLE_GEMFILE", "BUN_OPTIONS", "ZDOTDIR"])(
    "never sets %s, which decides what runs and may change later",
    async (name) => {
      await using sandbox = await project(`A=1\n${name}=/harmless\n`);
      await approveIn(sandbox);
      await sandbox.writeProject(".env", `A=1\n${name}=/evil\n`);
      await using host = await hostIn(sandbox);
      expect([await envOf(host, "A"), await envOf(host, name)]).toEqual(["1", UNSET]);
    },
  );

  test("requires approval again when the file first appears, even without variables", async () => {
    await using sandbox = await project(undefined);
    await approveIn(sandbox);
    {
      await using host = await hostIn(sandbox);
      expect(stateOf(host)).toBe("idle");
    }
    await sandbox.writeProject(".env", "# nothing yet\n");
    await using host = await hostIn(sandbox);
    expect(stateOf(host)).toBe("untrusted");
  });

  test("does not require approval again when a variable changes its value, is removed, or returns", async () => {
    await using sandbox = await project("A=1\nB=2\n");
    await approveIn(sandbox);
    for (const text of ["A=3\nB=2\n", "A=3\n", "", "B=4\nA=1\n"]) {
      await sandbox.writeProject(".env", text);
      await using host = await hostIn(sandbox);
      expect(stateOf(host)).toBe("idle");
    }
    await rm(join(sandbox.project, ".env"));
    await using host = await hostIn(sandbox);
    expect(stateOf(host)).toBe("idle");
  });

  test("is checked when it is read for the launch, not when the host starts", async () => {
    await using sandbox = await project("A=1\n");
    await approveIn(sandbox);
    await using host = await hostIn(sandbox);
    expect(stateOf(host)).toBe("idle");
    await sandbox.writeProject(".env", "A=1\nPYTHONUSERBASE=/evil\n");
    expect((await failureOf(host.call("tools", "env", { name: "A" }))).message).toMatch(NEW_NAMES);
    expect((await failureOf(host.connect("tools"))).message).toMatch(NEW_NAMES);
  });

  test.each([1, 2, 3, 4])(
    "reaches the program as approved, even if it changes after read %i",
    async (last) => {
      await using sandbox = await project("A=1\n");
      await approveIn(sandbox);
      const { files } = nodePorts();
      const file = join(sandbox.project, ".env");
      let looks = 0;
      const ports = {
        files: {
          ...files,
          async read(path: string, most?: number) {
            const bytes = await files.read(path, most);
            if (path === file && ++looks === last) await writeFile(file, "A=1\nPYTHONUSERBASE=/evil\n");
            return bytes;
          },
        },
      };
      await using host = await hostIn(sandbox, { ports });
      const outcome = await envOf(host, "PYTHONUSERBASE").catch((error: Error) => error.message);
      if (outcome !== UNSET) expect(outcome).toMatch(NEW_NAMES);
      expect(looks).toBeGreaterThanOrEqual(Math.min(last, 3));
    },
  );

  test("does not affect a running server", async () => {
    await using sandbox = await project("A=1\n");
    await approveIn(sandbox);
    await using host = await hostIn(sandbox);
    expect(await envOf(host, "A")).toBe("1");
    await sandbox.writeProject(".env", "A=2\nB=2\n");
    expect(await envOf(host, "A")).toBe("1");
    await host.close("tools");
    expect((await failureOf(host.call("tools", "env", { name: "B" }))).message).toMatch(NEW_NAMES);
  });

  test("is shown with its new names if the user can be asked", async () => {
    await using sandbox = await project("A=1\n");
    const asked: ApprovalRequest[] = [];
    await using host = await hostIn(sandbox, {
      onApproval(request) {
        asked.push(request);
        return true;
      },
    });
    expect(await envOf(host, "A")).toBe("1");
    await sandbox.writeProject(".env", "A=1\nB=2\n");
    await host.close("tools");
    expect(await envOf(host, "B")).toBe("2");
    expect(asked.map(({ status, envFile }) => [status, envFile])).toEqual([
      ["missing", { found: true, names: ["A"] }],
      ["changed", { found: true, names: ["A", "B"] }],
    ]);
  });

  test("is approved as it was shown, without names that are added in the meantime", async () => {
    await using sandbox = await project("A=1\n");
    await using host = await hostIn(sandbox, {
      async onApproval() {
        await sandbox.writeProject(".env", "A=1\nPYTHONUSERBASE=/evil\n");
        return true;
      },
    });
    await failureOf(host.connect("tools"));
    expect(stateOf(host)).toBe("untrusted");
  });

  test("is also recorded by `add`", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeProject(".env", "A=1\n");
    {
      await using host = await hostIn(sandbox);
      const server = { ...stdioServer("tools-server.mjs"), envFile: ".env" };
      await host.config.add({ name: "tools", server, scope: "project" });
      expect(await envOf(host, "A")).toBe("1");
    }
    await sandbox.writeProject(".env", "A=1\nB=2\n");
    await using host = await hostIn(sandbox);
    expect(stateOf(host)).toBe("untrusted");
  });

  test("is read from the path that the launch uses", async () => {
    await using sandbox = await project("A=1\n", "${FOLDER}/.env");
    const options = { env: { ...sandbox.env(), FOLDER: sandbox.project } };
    await approveIn(sandbox, options);
    await using host = await hostIn(sandbox, options);
    expect(await envOf(host, "A")).toBe("1");
    const elsewhere = join(sandbox.home, "elsewhere");
    await sandbox.writeHome("elsewhere/.env", "B=1\n");
    await using other = await hostIn(sandbox, { env: { ...options.env, FOLDER: elsewhere } });
    expect(stateOf(other)).toBe("untrusted");
  });

  test("cannot change the program with a value that changes later", async () => {
    await using sandbox = await project("NODE_OPTIONS=\n");
    await approveIn(sandbox);
    await sandbox.writeProject(".env", "NODE_OPTIONS=--require=./evil.cjs\n");
    await using host = await hostIn(sandbox);
    expect(await envOf(host, "NODE_OPTIONS")).toBe(UNSET);
  });
});

describe("with --trust-project", () => {
  test("an envFile with new variables is used for this run, without secrets and commands", async () => {
    await using sandbox = await createSandbox();
    const entry = { ...stdioServer("tools-server.mjs"), env: { SAID: "!echo ran" }, envFile: ".env" };
    await sandbox.writeProject(".plugboard/mcp.json", { mcpServers: { tools: entry } });
    await sandbox.writeProject(".env", "A=1\n");
    await approveIn(sandbox);
    await using host = await hostIn(sandbox, { trustProject: true });
    await sandbox.writeProject(".env", "A=1\nB=2\n"); // after the host has read it
    expect(await envOf(host, "B")).toBe("2");
    expect(await envOf(host, "SAID")).toBe(UNSET);
  });

  test("the variables are not approved for later", async () => {
    await using sandbox = await project("A=1\n");
    {
      await using host = await hostIn(sandbox, { trustProject: true });
      expect(await envOf(host, "A")).toBe("1");
    }
    await using host = await hostIn(sandbox);
    expect(stateOf(host)).toBe("untrusted");
  });
});

describe("an envFile that is not a small regular file", () => {
  const ODD: readonly (readonly [string, (file: string, sandbox: Sandbox) => Promise<unknown> | void])[] = [
    ["a named pipe", (file) => void execFileSync("mkfifo", [file])],
    ["a sparse file of 8 GB", async (file) => (await writeFile(file, ""), truncate(file, 8 * 2 ** 30))],
    ["a link to an endless device", (file) => symlink("/dev/zero", file)],
    ["a link to itself", (file) => symlink(file, file)],
    ["a folder", (file) => symlink("/tmp", file)],
  ];

  test.skipIf(process.platform === "win32").each(ODD)(
    "sets nothing, causes no delay, and requires approval once it can be read: %s",
    async (_, make) => {
      await using sandbox = await project(undefined);
      const file = join(sandbox.project, ".env");
      await make(file, sandbox);
      await approveIn(sandbox);
      {
        await using host = await hostIn(sandbox);
        expect(await host.approvals.inspect("tools")).toMatchObject({ envFile: { found: false, names: [] } });
        expect(await envOf(host, "A")).toBe(UNSET);
      }
      await rm(file);
      await writeFile(file, "A=1\n");
      await using host = await hostIn(sandbox);
      expect(stateOf(host)).toBe("untrusted");
    },
  );

  test("is followed if it is a link inside the project, and the names in its target count", async () => {
    await using sandbox = await project(undefined);
    const target = await sandbox.writeProject("config/mine.env", "A=1\n");
    await symlink(target, join(sandbox.project, ".env"));
    await approveIn(sandbox);
    await sandbox.writeProject("config/mine.env", "A=1\nB=2\n");
    await using host = await hostIn(sandbox);
    expect(stateOf(host)).toBe("untrusted");
  });
});

test("listing a server without approval does not read its envFile", async () => {
  await using sandbox = await project("A=1\n");
  const { files } = nodePorts();
  const read: string[] = [];
  const ports = {
    files: {
      ...files,
      read(path: string, most?: number) {
        read.push(path);
        return files.read(path, most);
      },
    },
  };
  await using host = await hostIn(sandbox, { ports });
  await host.reload();
  host.approvals.request("tools");
  expect(read.filter((path) => path.endsWith(".env"))).toEqual([]);
});

test.each(["//evil/share/.env", "${SLASH}/evil/share/.env"])(
  "inspecting a launch does not access %s, which can be on another machine",
  async (envFile) => {
    await using sandbox = await project(undefined, envFile);
    const { files } = nodePorts();
    const read: string[] = [];
    const ports = {
      files: {
        ...files,
        read(path: string, most?: number) {
          read.push(path);
          return files.read(path, most);
        },
      },
    };
    const env = { ...sandbox.env(), SLASH: "/" };
    await using host = await hostIn(sandbox, { ports, env });
    expect((await host.approvals.inspect("tools")).envFile).toMatchObject({ found: false, names: [] });
    expect(read.filter((path) => path.endsWith(".env"))).toEqual([]);
  },
);

test("the variables of a file on another machine are approved only after they are shown", async () => {
  await using sandbox = await project("A=1\nB=2\n");
  const envFile = `/${join(sandbox.project, ".env")}`;
  await sandbox.writeProject(".plugboard/mcp.json", {
    mcpServers: { tools: { ...stdioServer("tools-server.mjs"), envFile } },
  });
  {
    await using host = await hostIn(sandbox);
    await host.approvals.approve("tools", (await host.approvals.inspect("tools")).hash);
    expect((await failureOf(host.call("tools", "env", { name: "A" }))).message).toMatch(NEW_NAMES);
  }
  await using host = await hostIn(sandbox);
  const { hash, envFile: shown } = await host.approvals.inspect("tools");
  expect(shown).toMatchObject({ found: true, names: ["A", "B"] });
  await sandbox.writeProject(".env", "A=1\nB=2\nC=3\n");
  expect(await failureOf(host.approvals.approve("tools", hash))).toMatchObject({
    code: "POLICY_HASH_MISMATCH",
  });
  await sandbox.writeProject(".env", "A=1\nB=2\n");
  await host.approvals.approve("tools", hash);
  expect(await envOf(host, "A")).toBe("1");
});

describe("a project's envFile that is really another file", () => {
  const TOKENS = [
    ["base64", "c2VjcmV0LXRva2VuLTEyMzQ1Njc4OTA=="],
    ["base64 with an underscore", "aGVsbG8_d29ybGQ_Zm9vYmFyMTIzNDU2Nzg=="],
    ["base32", "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP===="],
    ["hexadecimal digits", "a94a8fe5ccb19ba61c4c0873d391e987982fbbd3="],
    ["the shape of a key", "ghp_0123456789abcdefghijklmnopqrstuvwxyz=1"],
    ["a long word", `${"averylongpassphrase".repeat(5)}=`],
    ["a dotted name", "eyJhbGciOi.eyJzdWIiOi="],
  ] as const;

  test.each(TOKENS)("is neither shown nor stored: %s", async (_, token) => {
    const [secret = ""] = token.split("=");
    await using sandbox = await project(`A=1\n${token}\n`);
    await using host = await hostIn(sandbox);
    const { envFile } = await host.approvals.inspect("tools");
    await host.approvals.approve("tools", host.approvals.request("tools").hash);
    const approvals = await readFile(join(sandbox.home, ".local/state/plugboard/approvals.json"), "utf8");
    expect(envFile?.names).toEqual(["A", expect.stringMatching(/^sha256:[0-9a-f]{64}$/)]);
    expect(JSON.stringify([envFile, host.approvals.list(), host.servers()]) + approvals).not.toContain(
      secret,
    );
    expect(stateOf(host)).toBe("idle");
  });

  test("requires approval again when such a line changes, without showing it", async () => {
    await using sandbox = await project("c2VjcmV0LXRva2VuLTEyMzQ1Njc4OTA==\n");
    await approveIn(sandbox);
    await sandbox.writeProject(".env", "b3RoZXItdG9rZW4tMTIzNDU2Nzg5MDE==\n");
    await using host = await hostIn(sandbox);
    expect(stateOf(host)).toBe("untrusted");
    expect(JSON.stringify([host.servers(), host.approvals.request("tools")])).not.toContain("b3RoZXIt");
  });

  test.each([
    "A",
    "_",
    "PATH",
    "API_KEY",
    "apiKey",
    "GoogleApplicationCredentials",
    "OAUTH2_CLIENT_ID",
    "npm_config__auth",
    "AWS_S3_BUCKET_2",
    "X509_CERT",
    "NEXT_PUBLIC_SUPABASE_URL",
    "ELASTICSEARCH_HOSTS",
    "Z3_PATH",
    "DB1_HOST",
  ])("still shows the name %s", async (name) => {
    await using sandbox = await project(`${name}=1\n`);
    await using host = await hostIn(sandbox);
    expect((await host.approvals.inspect("tools")).envFile?.names).toEqual([name]);
  });

  test("is also hidden if an older version stored it", async () => {
    await using sandbox = await project("c2VjcmV0LXRva2VuLTEyMzQ1Njc4OTA==\n");
    await approveIn(sandbox);
    const file = join(sandbox.home, ".local/state/plugboard/approvals.json");
    const text = (await readFile(file, "utf8")).replace(
      /sha256:[0-9a-f]{64}/,
      "c2VjcmV0LXRva2VuLTEyMzQ1Njc4OTA",
    );
    await writeFile(file, text);
    await using host = await hostIn(sandbox);
    expect(stateOf(host)).toBe("idle");
    expect(JSON.stringify(host.approvals.list())).not.toContain("c2VjcmV0");
  });
});

describe("the hash of what was shown", () => {
  test("covers the names in the envFile", async () => {
    await using sandbox = await project("A=1\n");
    const shown = await (async () => {
      await using host = await hostIn(sandbox);
      return (await host.approvals.inspect("tools")).hash;
    })();
    await sandbox.writeProject(".env", "A=1\nPYTHONUSERBASE=/evil\n");
    {
      await using host = await hostIn(sandbox);
      expect(await failureOf(host.approvals.approve("tools", shown ?? ""))).toMatchObject({
        code: "POLICY_HASH_MISMATCH",
      });
    }
    await sandbox.writeProject(".env", "A=2\n");
    await using host = await hostIn(sandbox);
    await host.approvals.approve("tools", shown ?? "");
    expect(await envOf(host, "A")).toBe("2");
  });

  test("is the hash of the launch if there is no envFile", async () => {
    await using sandbox = await createSandbox();
    await sandbox.writeProject(".plugboard/mcp.json", {
      mcpServers: { tools: stdioServer("tools-server.mjs") },
    });
    await using host = await hostIn(sandbox);
    expect((await host.approvals.inspect("tools")).hash).toBe(host.approvals.request("tools").hash);
  });
});

test("a project's envFile is not read if it becomes a link out of the project", async () => {
  await using sandbox = await project("A=1\n");
  await approveIn(sandbox);
  const outside = await sandbox.writeHome("private.env", "A=hunter2\n");
  await rm(join(sandbox.project, ".env"));
  await symlink(outside, join(sandbox.project, ".env"));
  await using host = await hostIn(sandbox);
  expect(await envOf(host, "A")).toBe(UNSET);
});
