import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { createSandbox } from "../support/sandbox.ts";

/** Node modules that are slow to load and that commands that only read files do not need. */
const HEAVY = ["http", "https", "net", "tls", "crypto", "zlib", "child_process", "dns", "stream"];

test("`list` loads no part of Node that it does not need", async () => {
  await using sandbox = await createSandbox();
  await sandbox.writeHome(".plugboard/mcp.json", {
    mcpServers: { mine: { command: "npx", args: ["-y", "x"] } },
  });
  const recorder = join(sandbox.home, "record.cjs");
  writeFileSync(
    recorder,
    'process.on("exit", () => require("fs").writeSync(2, JSON.stringify(process.moduleLoadList)));',
  );
  const { code, stderr } = await runCli(["list"], {
    sandbox,
    env: { NODE_OPTIONS: `--require ${recorder}` },
  });
  const loaded = JSON.parse(stderr) as string[];
  expect({ code, heavy: HEAVY.filter((name) => loaded.includes(`NativeModule ${name}`)) }).toEqual({
    code: 0,
    heavy: [],
  });
});

test("compiled code is cached per command, not for usage errors, and not forever", async () => {
  await using sandbox = await createSandbox();
  const folder = join(sandbox.home, ".cache", "plugboard", "code", `${process.version}-${process.arch}`);
  await runCli(["list"], { sandbox });
  writeFileSync(join(folder, "core-old.cjs.list.bin"), "");
  utimesSync(join(folder, "core-old.cjs.list.bin"), 1, 1);
  await runCli(["lst"], { sandbox });
  await runCli(["secret", "list"], { sandbox });
  const kept = readdirSync(folder).map((name) => name.replace(/-[\w-]+\.cjs/, ""));
  expect([...new Set(kept.filter((name) => name.startsWith("core")))].sort()).toEqual([
    "core.list.bin",
    "core.secret.bin",
  ]);
});

/** Only interactive mode turns on bracketed paste. */
const MARK_OF_THE_SCREEN = "[?2004h";
/** How the AI SDK marks its own errors. */
const MARK_OF_THE_MODELS = "vercel.ai.error";

test.each(["list", "tools mine", "status", "--help"])(
  "`%s` loads no module of interactive mode or of the chat",
  async (words) => {
    const folder = fileURLToPath(new URL("../../dist/surfaces/cli/", import.meta.url));
    const chunks = readdirSync(folder).filter((file) => file.endsWith(".cjs"));
    const marked = (mark: string): string[] =>
      chunks.filter((file) => readFileSync(join(folder, file), "utf8").includes(mark));
    const ofTheScreen = marked(MARK_OF_THE_SCREEN);
    const forModels = marked(MARK_OF_THE_MODELS);
    expect(ofTheScreen).toHaveLength(1);
    expect(forModels.length).toBeGreaterThan(1);

    await using sandbox = await createSandbox();
    await sandbox.writeHome(".plugboard/mcp.json", {
      mcpServers: { mine: { command: process.execPath, args: ["-e", "0"] } },
    });
    const recorder = join(sandbox.home, "record.cjs");
    writeFileSync(
      recorder,
      `const fs = require("fs"), read = fs.readFileSync, files = [];
     fs.readFileSync = (file, ...more) => { files.push(String(file)); return read(file, ...more); };
     process.on("exit", () => read === fs.readFileSync || fs.writeFileSync(${JSON.stringify(join(sandbox.home, "files"))}, files.join("\\n")));`,
    );
    await runCli(words.split(" "), { sandbox, env: { NODE_OPTIONS: `--require ${recorder}` } });
    const loaded = readFileSync(join(sandbox.home, "files"), "utf8");
    expect(loaded).toContain("core-");
    expect([...ofTheScreen, ...forModels].filter((file) => loaded.includes(file))).toEqual([]);
  },
);

test("the program has no dynamic import(), because cached code does not support it", () => {
  const folder = fileURLToPath(new URL("../../dist/surfaces/cli", import.meta.url));
  const files = readdirSync(folder).filter((file) => file.endsWith(".cjs"));
  expect(files.length).toBeGreaterThan(1);
  const importing = files.filter((file) => /[^\w.]import\(/.test(readFileSync(join(folder, file), "utf8")));
  expect(importing.filter((file) => file !== "main.cjs")).toEqual([]);
});
