import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nodePorts } from "../../src/platform/node/index.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { hostIn } from "./host-in.ts";

const CONFIG = ".plugboard/mcp.json";

/** A folder on PATH with `here`, which is executable, and `text`, which is not. */
async function withPrograms(sandbox: Sandbox): Promise<Record<string, string>> {
  await sandbox.writeHome("bin/text", "not a program\n");
  const program = await sandbox.writeHome("bin/here", "#!/bin/sh\nexit 1\n");
  await chmod(program, 0o755);
  return { ...sandbox.env(), PATH: join(sandbox.home, "bin") };
}

test("a missing program is reported with the folders that were searched", async () => {
  await using sandbox = await createSandbox();
  const env = await withPrograms(sandbox);
  const bin = join(sandbox.home, "bin");
  await sandbox.writeHome(CONFIG, {
    mcpServers: {
      found: { command: "here" },
      by_path: { command: join(bin, "here") },
      by_variable: { command: "${HOME}/bin/here" },
      from_its_folder: { command: "./here", cwd: bin },
      on_its_own_path: { command: "here", env: { PATH: `/nowhere:${bin}` } },
      wrapped: { wrap: ["here"], command: "inside-only" },
      unknown_yet: { command: "${NOT_SET}/x" },
      off: { command: "gone", enabled: false },
      remote: { type: "http", url: "http://127.0.0.1:1/mcp" },
      gone: { command: "gone" },
      no_program: { command: "text" },
      nothing_there: { command: "/nowhere/gone" },
      not_on_its_path: { command: "here", env: { PATH: "/nowhere" } },
      no_wrapper: { wrap: ["gone"], command: "here" },
      with_arguments: { command: "here ./server.js" },
    },
  });
  await using host = await hostIn(sandbox, { env });
  const found = await host.doctor.checkPrograms();
  const [unfilled, ...missing] = found;
  expect(unfilled).toMatchObject({
    server: "unknown_yet",
    message: expect.stringContaining("a path with an unresolved placeholder: ${NOT_SET}"),
  });
  expect(missing.map(({ server, message }) => [server, message])).toEqual([
    ["gone", '"gone": there is no program "gone".'],
    ["no_program", '"no_program": there is no program "text".'],
    ["nothing_there", '"nothing_there": there is no program at /nowhere/gone.'],
    ["not_on_its_path", '"not_on_its_path": there is no program "here".'],
    ["no_wrapper", '"no_wrapper": there is no program "gone".'],
    ["with_arguments", '"with_arguments": there is no program "here ./server.js".'],
  ]);
  expect(missing[0]).toMatchObject({ severity: "warning", hint: expect.stringContaining(bin) });
  expect(missing[3]).toMatchObject({ hint: expect.stringContaining("/nowhere") });
  expect(missing[5]).toMatchObject({
    hint: 'Set "command" to "here", and move the rest to "args": ["./server.js"].',
  });
  expect(await host.doctor.checkPrograms("gone")).toEqual(missing.slice(0, 1));
});

test("for a project's server without approval, only a bare name is looked up, and only in the user's own folders", async () => {
  await using sandbox = await createSandbox();
  const env = await withPrograms(sandbox);
  await writeFile(join(sandbox.project, "here"), "");
  await sandbox.writeProject(CONFIG, {
    mcpServers: {
      found: { command: "here", env: { PATH: "/planted" } },
      gone: { command: "gone", env: { PATH: "/planted" } },
      path: { command: "/planted/gone" },
      variable: { command: "${HOME}/gone" },
    },
  });
  const { files } = nodePorts();
  const looked: string[] = [];
  const kind: typeof files.kind = (path) => {
    looked.push(path);
    return files.kind(path);
  };
  await using host = await hostIn(sandbox, { env, ports: { files: { ...files, kind } } });
  expect(await host.doctor.checkPrograms()).toMatchObject([{ server: "gone" }]);
  expect(looked.filter((path) => path.includes("planted"))).toEqual([]);
});

test("a missing working folder and a command that is a folder are reported as such", async () => {
  await using sandbox = await createSandbox();
  const env = await withPrograms(sandbox);
  const file = await sandbox.writeHome("notes.txt", "");
  const bin = join(sandbox.home, "bin");
  await sandbox.writeHome(CONFIG, {
    mcpServers: {
      no_folder: { command: "here", cwd: "/nowhere/at/all" },
      by_variable: { command: "here", cwd: "${HOME}/gone" },
      file: { command: "here", cwd: file },
      folder: { command: bin },
    },
  });
  await using host = await hostIn(sandbox, { env });
  const found = await host.doctor.checkPrograms();
  expect(found.map(({ message, hint }) => [message, hint])).toEqual([
    ['"no_folder": the working folder /nowhere/at/all does not exist.', `Fix "cwd" in the server's entry.`],
    [
      `"by_variable": the working folder ${join(sandbox.home, "gone")} does not exist.`,
      `Fix "cwd" in the server's entry.`,
    ],
    [`"file": the working folder ${file} is not a folder.`, `Fix "cwd" in the server's entry.`],
    [
      `"folder": the command ${bin} is a folder.`,
      'Set "command" to the program to run, such as one in this folder.',
    ],
  ]);
});
