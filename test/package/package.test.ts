import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { packAndInstall } from "./packed.ts";

const LONG_MS = 120_000;
const MOST_DECLARATIONS = 40;
const packed = packAndInstall();
/** The dashboard is a page: browsers load it, so it is minified and has no source map. */
const code = packed.files.filter((file) => /^dist\/(?!surfaces\/dashboard\/).*\.c?js$/.test(file));
const library = code.filter((file) => !file.startsWith("dist/surfaces/cli/"));

afterAll(() => rmSync(packed.project, { recursive: true, force: true, maxRetries: 3 }));

test("installing the package runs no script", () => {
  const { scripts } = JSON.parse(packed.read("package.json")) as { scripts: Record<string, string> };
  const onInstall = ["preinstall", "install", "postinstall", "preprepare", "prepare", "postprepare"];
  expect(onInstall.filter((name) => name in scripts)).toEqual([]);
});

test("the package contains the documents that the README links to", () => {
  const links = [...packed.read("README.md").matchAll(/\]\((?!https?:)([^)#]+)/g)].map(
    ([, path = ""]) => path,
  );
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((path) => !packed.files.includes(path))).toEqual([]);
});

test("the package contains no file of an earlier build, and no test", () => {
  expect(packed.files.filter((file) => /\.build\.json$|\.test\./.test(file))).toEqual([]);
  const built = JSON.parse(readFileSync("dist/.build.json", "utf8")) as { files: string[] };
  const inDist = packed.files.filter((file) => file.startsWith("dist/")).map((file) => file.slice(5));
  expect(inDist.sort()).toEqual(built.files.sort());
});

test.skipIf(process.platform === "win32")(
  "a global install puts the manual page where `man` finds it",
  { timeout: LONG_MS },
  () => {
    const prefix = join(packed.project, "prefix");
    const [tarball = ""] = readdirSync(packed.project).filter((name) => name.endsWith(".tgz"));
    const options = ["--global", "--offline", "--ignore-scripts", "--omit=peer", "--prefix", prefix];
    const { status, stderr } = spawnSync("npm", ["install", ...options, join(packed.project, tarball)], {
      encoding: "utf8",
    });
    expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
    const page = readFileSync(join(prefix, "share/man/man1/plugboard.1"), "utf8");
    expect(page).toBe(packed.read("docs/plugboard.1"));
  },
);

test("library files are readable: lines are short, and comments are kept", () => {
  for (const file of library) {
    const text = packed.read(file);
    expect(text.length / text.split("\n").length, file).toBeLessThan(200);
  }
  expect(packed.read(library.find((file) => /chunks\/core-/.test(file)) ?? "")).toContain("/** ");
});

test("every code file except small ones has a source map with paths inside the repository", () => {
  for (const file of code) {
    const [, name] = /^\/\/# sourceMappingURL=(.*)$/m.exec(packed.read(file)) ?? [];
    if (name === undefined) expect(packed.read(file).length, file).toBeLessThan(20_000);
    else {
      const { sources } = JSON.parse(packed.read(join(file, "..", name).replaceAll("\\", "/"))) as {
        sources: string[];
      };
      expect(
        sources.filter((source) => !/^(?:\.\.\/)+(?:src|node_modules|scripts)\/|^\0/.test(source)),
        file,
      ).toEqual([]);
    }
  }
});

test("a stack trace of the library names the source files", () => {
  const script = `
    const { HostError } = await import("plugboard");
    console.log(new HostError("INTERNAL_BUG", "x").stack);
    const { createHost } = await import("plugboard");
    const host = await createHost({ discover: false });
    console.log(await host.call("x", "y", {}).catch((error) => error.stack));
    await host.close();`;
  const { stdout } = spawnSync(
    process.execPath,
    ["--enable-source-maps", "--input-type=module", "-e", script],
    { cwd: packed.project, encoding: "utf8" },
  );
  expect(stdout).toMatch(/src[\\/]operations[\\/]tools[\\/]call-tool\.ts:\d+:\d+/);
});

test("every bundled package is named with its licence, and the full Apache licence is included", () => {
  const text = packed.read("dist/third-party-licenses.txt");
  const bundled = new Set(
    packed.files
      .filter((file) => file.endsWith(".map"))
      .flatMap((file) => (JSON.parse(packed.read(file)) as { sources: string[] }).sources)
      .flatMap((source) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(source)?.[1] ?? []),
  );
  expect(bundled.size).toBeGreaterThan(5);
  expect([...bundled].filter((name) => !text.includes(`\n${name} `))).toEqual([]);
  expect(text).toContain("TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION");
  expect(text).toContain("Copyright (c) 2019 The Fastify Team"); // in a file that a bundled package copied
});

describe("the types", () => {
  const compilers = {
    "5.9": resolve("test/consumers/typescript-5/node_modules/typescript/bin/tsc"),
    "7": resolve("node_modules/typescript/bin/tsc"),
  };

  test(`are at most ${MOST_DECLARATIONS} files`, () => {
    expect(packed.files.filter((file) => file.endsWith(".d.ts")).length).toBeLessThanOrEqual(
      MOST_DECLARATIONS,
    );
  });

  test.each(
    Object.keys(compilers).flatMap((version) =>
      ["node16", "nodenext", "bundler"].map((resolution) => [version, resolution] as const),
    ),
  )(
    "compile without @types/node on TypeScript %s with moduleResolution %s",
    (version, resolution) => {
      writeFileSync(join(packed.project, "index.ts"), CONSUMER);
      expect(compile(compilers[version as "7"], resolution, "index.ts")).toBe("");
    },
    LONG_MS,
  );

  test(
    "of the LangChain adapter add no error to those of LangChain itself",
    () => {
      mkdirSync(join(packed.project, "node_modules"), { recursive: true });
      const link = join(packed.project, "node_modules", "@langchain");
      if (!existsSync(link)) symlinkSync(resolve("node_modules/@langchain"), link, "junction");
      writeFileSync(join(packed.project, "langchain.ts"), LANGCHAIN_CONSUMER);
      const errors = compile(compilers["7"], "nodenext", "langchain.ts").split("\n");
      expect(errors.filter((line) => /^(?:node_modules\/plugboard|langchain)/.test(line))).toEqual([]);
    },
    LONG_MS,
  );
});

function compile(compiler: string, resolution: string, file: string): string {
  const config = {
    compilerOptions: {
      target: "es2022",
      lib: ["ES2022", "DOM"],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
      module: resolution === "bundler" ? "esnext" : resolution,
      moduleResolution: resolution,
    },
    files: [file],
  };
  const path = join(packed.project, "tsconfig.json");
  writeFileSync(path, JSON.stringify(config));
  return spawnSync(process.execPath, [compiler, "-p", path], { cwd: packed.project, encoding: "utf8" })
    .stdout;
}

const CONSUMER = `
import { createHost, type Host, type HostEvent, isHostError, type ToolResult } from "plugboard";
import { aiSdkTools } from "plugboard/ai-sdk";
import { anthropicTools } from "plugboard/anthropic";
import * as compat from "plugboard/compat";
import { agentsTools, chatTools, responsesTools } from "plugboard/openai";
import { serveHttp } from "plugboard/testing";

const host: Host = await createHost({ discover: false, servers: { a: { command: "node", args: ["a.js"] } } });
host.subscribe((event: HostEvent) => console.log(event.type));
const result: ToolResult = await host.call("a", "b", { c: 1 });
console.log(result.text, isHostError(result), Object.keys(compat));
const { tools } = await aiSdkTools(host.session(), { version: 6 });
const schema = { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a"] } as const;
host.session({
  tools: {
    add: {
      description: "Adds",
      inputSchema: schema,
      execute: ({ a, b = 0 }, { signal }) => (signal.aborted ? 0 : a + b),
    },
  },
});
console.log(tools, anthropicTools, agentsTools, chatTools, responsesTools);
const server = await serveHttp({ name: "x", version: "1" }, { guard: ({ headers }) => (headers.authorization ? undefined : 401) });
await server[Symbol.asyncDispose]();
`;

const LANGCHAIN_CONSUMER = `
import { createHost } from "plugboard";
import { langChainTools } from "plugboard/langchain";

const host = await createHost();
const [tool] = await langChainTools(host.session());
console.log(tool?.name);
`;
