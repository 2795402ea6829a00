import { mkdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { failureOf, hostIn } from "../flow/host-in.ts";
import { createSandbox, type FileContent, type Sandbox } from "../support/sandbox.ts";
import { whyNoSandbox } from "../support/sandbox-support.ts";

const PROBE = { command: "node", args: [resolve("test/servers/probe-server.mjs")] };
const REFUSED = /its sandbox cannot use .*, because the path contains a link/;
const obstacle = whyNoSandbox();

async function placeWith(entry: FileContent, settings: FileContent = {}): Promise<Sandbox> {
  const place = await createSandbox();
  await place.writeProject(".plugboard/mcp.json", { mcpServers: { probe: entry } });
  await place.writeHome(".plugboard/settings.json", settings);
  await place.writeHome(".ssh/id_ed25519", "private key");
  return place;
}

async function run(place: Sandbox, command: string): Promise<string> {
  await using host = await hostIn(place, { trustProject: true });
  return (await host.call("probe", "run", { command })).text;
}

async function refusalOf(place: Sandbox): Promise<string> {
  return (await failureOf(run(place, "true"))).message;
}

describe.skipIf(process.platform === "win32")("a path of a sandbox", () => {
  test.each([
    ["read", "docs"],
    ["write", "docs"],
    ["read", "docs/keys"],
    ["write", "~/notes"],
    ["read", "~/work/shared/keys"],
  ])("in %s does not follow a link (%s)", async (key, path) => {
    await using place = await placeWith({ ...PROBE, sandbox: { [key]: [path] } });
    await place.writeHome(".ssh/keys/a", "");
    await mkdir(join(place.home, "work"), { recursive: true });
    await symlink(join(place.home, ".ssh"), join(place.project, "docs"));
    await symlink(join(place.home, ".ssh"), join(place.home, "notes"));
    await symlink(join(place.home, ".ssh"), join(place.home, "work", "shared"));
    expect(await refusalOf(place)).toMatch(REFUSED);
  });

  test("that is absolute does not follow a link", async () => {
    await using place = await createSandbox();
    const docs = join(place.project, "docs");
    await symlink(place.home, docs);
    await place.writeProject(".plugboard/mcp.json", {
      mcpServers: { probe: { ...PROBE, sandbox: { read: [docs] } } },
    });
    expect(await refusalOf(place)).toMatch(REFUSED);
  });

  test("in the settings does not follow a link of a repository", async () => {
    await using place = await placeWith(PROBE, { sandbox: { read: ["docs"], write: ["out"] } });
    await symlink(join(place.home, ".ssh"), join(place.project, "docs"));
    expect(await refusalOf(place)).toMatch(REFUSED);
  });
});

describe.skipIf(obstacle !== undefined)("a sandbox path that changes later", () => {
  test("is refused when it becomes a link after its approval", async () => {
    await using place = await placeWith({ ...PROBE, sandbox: { read: ["docs"], write: ["out"] } });
    await place.writeProject("docs/a", "");
    await place.writeProject("out/a", "");
    await using host = await hostIn(place);
    await host.approvals.approve("probe", host.approvals.request("probe").hash);
    const key = join(place.home, ".ssh/id_ed25519");
    expect((await host.call("probe", "run", { command: `cat ${key}` })).text).toMatch(/^1\n/);
    await host.close();
    await rm(join(place.project, "docs"), { recursive: true });
    await symlink(join(place.home, ".ssh"), join(place.project, "docs"));
    await using again = await hostIn(place);
    const failure = await failureOf(again.call("probe", "run", { command: `cat ${key}` }));
    expect(failure.message).toMatch(REFUSED);
  });

  test("is refused when the server itself replaced it with a link", async () => {
    await using place = await placeWith({ ...PROBE, sandbox: { read: ["data/cache"] } });
    await place.writeProject("data/cache/a", "");
    const data = join(place.project, "data");
    const swap = `mv ${data} ${data}2 && mkdir ${data} && ln -s ${place.home} ${data}/cache`;
    expect(await run(place, swap)).toBe("0\n");
    expect(await refusalOf(place)).toMatch(REFUSED);
  });

  test("does not hide a package folder unless it is a link", async () => {
    await using place = await placeWith({ ...PROBE, sandbox: true });
    const file = await place.writeHome(".cache/uv/wheel", "wheel");
    expect(await run(place, `cat ${file}`)).toBe("0\nwheel");
    await rename(join(place.home, ".cache/uv"), join(place.home, "elsewhere"));
    await symlink(join(place.home, ".ssh"), join(place.home, ".cache/uv"));
    expect(await run(place, `cat ${join(place.home, ".ssh/id_ed25519")}`)).toMatch(/^1\n/);
  });

  test("shows the packages that an installed one needs, and nothing else of their folder", async () => {
    await using place = await createSandbox();
    const tools = (path: string, text: string): Promise<string> => place.writeHome(`tools/${path}`, text);
    const needed = await tools("node_modules/needed/index.mjs", await readFile(PROBE.args[0] ?? "", "utf8"));
    await tools("node_modules/@owner/server/package.json", "{}");
    const program = await tools("node_modules/@owner/server/main.cjs", 'import("needed/index.mjs");');
    const secret = await tools(".env", "TOKEN=secret");
    await place.writeHome(".plugboard/mcp.json", {
      mcpServers: { probe: { command: "node", args: [program], sandbox: true } },
    });
    expect(await run(place, `test -e ${needed} && ! test -e ${secret}; echo; echo x >> ${needed}`)).toMatch(
      /^2\n/,
    );
  });

  test("does not expose the package that a linked script leads to", async () => {
    await using place = await createSandbox();
    const secret = await place.writeHome("work/other/.env", "TOKEN=secret");
    await place.writeHome("work/other/package.json", "{}");
    const tool = await place.writeHome("work/other/tool.mjs", "");
    const linked = join(place.project, "linked.mjs");
    await symlink(tool, linked);
    const code = `process.exit(require("node:fs").existsSync(${JSON.stringify(secret)}) ? 7 : 8);`;
    const look = await place.writeProject("look.cjs", code);
    await place.writeProject(".plugboard/mcp.json", {
      mcpServers: { probe: { command: "node", args: ["--require", look, linked], sandbox: true } },
    });
    const failure = await failureOf(run(place, "true"));
    expect(`${failure.message} ${failure.hint}`).toContain("code 8");
  });
});
