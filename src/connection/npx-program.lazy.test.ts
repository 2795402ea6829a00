import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Files } from "../platform/index.ts";
import { createMemoryFiles } from "../testing/index.ts";
import { findNpxProgram, type NpxProgram } from "./npx-program.lazy.ts";

const SPEC = "@acme/tool@1.2.3";
/** The folder that npm uses for this package. */
const FOLDER = "/home/me/.npm/_npx/ee419fecb007b83e";
const PACKAGE = `${FOLDER}/node_modules/@acme/tool`;
const HEAD = "#!/usr/bin/env node\n";
const clock = { now: () => 0 };

interface Cache {
  readonly bin?: unknown;
  readonly manifest?: object;
  readonly listed?: string;
  readonly program?: string;
  readonly more?: Readonly<Record<string, string>>;
  /** Link targets, by the path of the link. */
  readonly links?: Readonly<Record<string, string>>;
  readonly broken?: Partial<Files>;
}

/** A disk that also finds paths with backslashes. */
function windowsFiles(disk: Map<string, string>): Files {
  const list = async (folder: string): Promise<string[]> =>
    [...disk.keys()]
      .filter((file) => file.startsWith(`${folder}\\`))
      .map((file) => file.slice(folder.length + 1));
  return { ...createMemoryFiles(disk), list };
}

async function find(
  args: readonly string[],
  cache: Cache = {},
  options: { command?: string; env?: Record<string, string>; anyVersion?: boolean } = {},
): Promise<NpxProgram | undefined> {
  const { command = "npx", env = {}, anyVersion = false } = options;
  const {
    bin = { tool: "dist/cli.js" },
    manifest,
    listed = "1.2.3",
    program = HEAD,
    more,
    links = {},
  } = cache;
  const disk = new Map<string, string>([
    [
      `${FOLDER}/node_modules/.package-lock.json`,
      JSON.stringify({ packages: { "node_modules/@acme/tool": { version: listed } } }),
    ],
    [`${FOLDER}/package.json`, JSON.stringify({ _npx: { packages: [SPEC] } })],
    [`${PACKAGE}/package.json`, JSON.stringify({ name: "@acme/tool", version: "1.2.3", bin, ...manifest })],
    [`${PACKAGE}/dist/cli.js`, program],
    [`${PACKAGE}/dist/other.js`, HEAD],
    ["/evil.js", HEAD],
    ...Object.entries(more ?? {}),
  ]);
  const files = {
    ...createMemoryFiles(disk),
    realPath: async (path: string) => links[path] ?? path,
    ...cache.broken,
  };
  const ports = { files, clock };
  return findNpxProgram(
    { command, args, env: { HOME: "/home/me", ...env }, platform: "linux", anyVersion },
    ports,
  );
}

const started = async (...asked: Parameters<typeof find>): Promise<readonly string[] | undefined> =>
  (await find(...asked))?.args;
const CLI = `${PACKAGE}/dist/cli.js`;

describe("an exact version in npm's cache is started without npx", () => {
  test("with its arguments, and with the programs of its dependencies on PATH", async () => {
    expect(await find(["-y", SPEC, "--flag", "--", "x"])).toEqual({
      command: "node",
      args: [CLI, "--flag", "--", "x"],
      packageId: SPEC,
      binFolder: `${FOLDER}/node_modules/.bin`,
      packages: { "node_modules/@acme/tool": { version: "1.2.3" } },
    });
  });

  test("on Windows too, where npm's cache is elsewhere and npx is a .cmd file", async () => {
    const folder = "C:\\local\\npm-cache\\_npx\\ee419fecb007b83e\\node_modules";
    const own = `${folder}\\@acme\\tool`;
    const manifest = { name: "@acme/tool", version: "1.2.3", bin: "dist/cli.js" };
    const disk = new Map([
      ["C:\\local\\npm-cache\\_npx\\ee419fecb007b83e\\package.json", "{}"],
      [`${folder}\\.package-lock.json`, '{"packages":{"node_modules/@acme/tool":{"version":"1.2.3"}}}'],
      [`${own}\\package.json`, JSON.stringify(manifest)],
      [`${own}\\dist\\cli.js`, HEAD],
    ]);
    const env = { LOCALAPPDATA: "C:\\local", HOME: "/home/me" };
    const asked = {
      command: "C:\\Program Files\\nodejs\\npx.cmd",
      args: ["-y", SPEC],
      env,
      platform: "win32",
    };
    expect(await findNpxProgram(asked, { files: windowsFiles(disk), clock })).toEqual({
      command: "node",
      args: [`${own}\\dist\\cli.js`],
      packageId: SPEC,
      binFolder: `${folder}\\.bin`,
      packages: { "node_modules/@acme/tool": { version: "1.2.3" } },
    });
  });

  test.each([
    ["without -y", [SPEC]],
    ["after two dashes", ["--yes", "--", SPEC]],
    ["by --package", ["-y", "--package", SPEC, "tool"]],
    ["by --package=", [`--package=${SPEC}`, "-y", "tool"]],
    ["by -p", ["-p", SPEC, "--", "tool"]],
  ])("if it is named %s", async (_, args) => {
    expect(await started(args)).toEqual([CLI]);
  });

  test.each([
    ["one program", "dist/cli.js"],
    ["one program of another name", { different: "dist/cli.js" }],
    ["several names of one program", { a: "dist/cli.js", b: "dist/cli.js" }],
    ["several programs, one named like the package", { other: "dist/other.js", tool: "./dist/cli.js" }],
  ])("if it has %s", async (_, bin) => {
    expect(await started([SPEC], { bin })).toEqual([CLI]);
  });

  test("even if npx is given by its path or the cache is elsewhere", async () => {
    expect(await started([SPEC], {}, { command: "/usr/local/bin/npx" })).toEqual([CLI]);
    const env = { HOME: "/nowhere", NPM_CONFIG_CACHE: "/home/me/.npm" };
    expect(await started([SPEC], {}, { env })).toEqual([CLI]);
    const more = { "/npmrc/.npmrc": "registry=http://x/\ncache = ${PLACE}/.npm\n" };
    expect(await started([SPEC], { more }, { env: { HOME: "/npmrc", PLACE: "/home/me" } })).toEqual([CLI]);
  });

  test("even if optional packages for other systems are missing", async () => {
    const packages = {
      "node_modules/@acme/tool": { version: "1.2.3" },
      "node_modules/@acme/tool-darwin": { version: "1.2.3", optional: true },
    };
    const more = { [`${FOLDER}/node_modules/.package-lock.json`]: JSON.stringify({ packages }) };
    expect(await started([SPEC], { more })).toEqual([CLI]);
  });
});

test("the folder is the one that npm created for a published server", async () => {
  const folder = "/home/me/.npm/_npx/c98ccc168155bafa/node_modules";
  const [name, version] = ["@modelcontextprotocol/server-memory", "2026.8.31"];
  const files = createMemoryFiles(
    new Map([
      [
        `${folder}/.package-lock.json`,
        JSON.stringify({ packages: { [`node_modules/${name}`]: { version } } }),
      ],
      [
        `${folder}/${name}/package.json`,
        JSON.stringify({ name, version, bin: { "mcp-server-memory": "dist/index.js" } }),
      ],
      [`${folder}/${name}/dist/index.js`, HEAD],
      ["/home/me/.npm/_npx/c98ccc168155bafa/package.json", "{}"],
    ]),
  );
  const npx = { command: "npx", args: [`${name}@${version}`], env: { HOME: "/home/me" }, platform: "linux" };
  expect((await findNpxProgram(npx, { files, clock }))?.args).toEqual([`${folder}/${name}/dist/index.js`]);
});

describe("without a network, the installed version is started without npx", () => {
  test.each(["@acme/tool", "@acme/tool@latest", "@acme/tool@^1.2.3", "@acme/tool@1.2", "@acme/tool@>=1 <3"])(
    "for %s",
    async (spec) => {
      const hash = createHash("sha512").update(spec).digest("hex").slice(0, 16);
      const copied = Object.fromEntries(
        [
          ["package.json", "{}"],
          ["node_modules/.package-lock.json", '{"packages":{"node_modules/@acme/tool":{"version":"1.2.3"}}}'],
          [
            "node_modules/@acme/tool/package.json",
            '{"name":"@acme/tool","version":"1.2.3","bin":"dist/cli.js"}',
          ],
          ["node_modules/@acme/tool/dist/cli.js", HEAD],
        ].map(([name, text]) => [`/home/me/.npm/_npx/${hash}/${name}`, text as string]),
      );
      expect(await find(["-y", spec], { more: copied }, { anyVersion: true })).toMatchObject({
        args: [`/home/me/.npm/_npx/${hash}/node_modules/@acme/tool/dist/cli.js`],
        packageId: SPEC,
      });
      expect(await find(["-y", spec], { more: copied })).toBeUndefined();
    },
  );

  test.each(["github:acme/tool", "./tool", "tool@npm:other@1.0.0", "https://a.example/tool.tgz", "../../x"])(
    "but npx is started for %s",
    async (spec) => {
      expect(await find(["-y", spec], {}, { anyVersion: true })).toBeUndefined();
    },
  );
});

describe("npx itself is started", () => {
  test.each([
    ["for a name without a version", ["-y", "@acme/tool"]],
    ["for a tag", ["@acme/tool@latest"]],
    ["for a range", ["@acme/tool@^1.2.3"]],
    ["for a part of a version", ["@acme/tool@1.2"]],
    ["for an address", ["github:acme/tool"]],
    ["for a folder", ["./tool@1.2.3"]],
    ["for a name that leads elsewhere", ["../../x@1.2.3"]],
    ["for a version that is not there", ["@acme/tool@1.2.4"]],
    ["for two packages", ["-p", SPEC, "-p", "x@1.0.0", "tool"]],
    ["for a program that the package does not have", ["-p", SPEC, "nothing"]],
    ["with a flag that is not known here", ["--node-options=--inspect", SPEC]],
    ["with a command line", ["-c", "tool"]],
    ["with nothing", []],
  ])("%s", async (_, args) => {
    expect(await find(args)).toBeUndefined();
  });

  test.each<[string, Cache]>([
    ["an installation is running", { more: { [`${FOLDER}/concurrency.lock`]: "" } }],
    ["the folder has no package.json", { more: { [`${FOLDER}/package.json`]: "" } }],
    [
      "a package in npm's list is missing",
      {
        more: {
          [`${FOLDER}/node_modules/.package-lock.json`]: JSON.stringify({
            packages: {
              "node_modules/@acme/tool": { version: "1.2.3" },
              "node_modules/zod": { version: "4.0.0" },
            },
          }),
        },
      },
    ],
    ["an update was interrupted", { more: { [`${FOLDER}/node_modules/.zod-AbCd1234/package.json`]: "{}" } }],
    ["npm's own list has another version", { listed: "1.2.2" }],
    ["the package is another one", { manifest: { name: "@acme/other" } }],
    ["the package has another version", { manifest: { version: "1.2.2" } }],
    [
      "the package has several programs and none of its name",
      { bin: { a: "dist/cli.js", b: "dist/other.js" } },
    ],
    ["the package has no program", { bin: {} }],
    ["the program lies outside of the package", { bin: { tool: "../../../../../../../evil.js" } }],
    ["the program is a link that leads outside", { links: { [CLI]: "/evil.js" } }],
    ["the program is for another interpreter", { program: "#!/usr/bin/env bun\n" }],
    ["the program asks for options", { program: "#!/usr/bin/env -S node --inspect\n" }],
    ["the program prints something else", { program: "console.log(1)\n" }],
    ["the list does not parse", { more: { [`${FOLDER}/node_modules/.package-lock.json`]: "{" } }],
    ["the list is malformed", { more: { [`${FOLDER}/node_modules/.package-lock.json`]: '{"packages":[]}' } }],
  ])("if %s", async (_, cache) => {
    expect(await find([SPEC], cache)).toBeUndefined();
  });

  test("for any other command", async () => {
    expect(await find([SPEC], {}, { command: "bunx" })).toBeUndefined();
  });
});

test.each(["writtenAt", "realPath", "read"] as const)(
  "a cache that cannot be read (%s) is left to npx",
  async (method) => {
    expect(await started(["-y", SPEC])).toBeDefined();
    const broken = { [method]: () => Promise.reject(new Error("EACCES")) };
    expect(await started(["-y", SPEC], { broken })).toBeUndefined();
  },
);
