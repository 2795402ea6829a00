import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";

const COPIED = [
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.build.json",
  "src",
  "scripts",
];

export interface ProgramResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A copy of the sources that is built separately: the other tests run the program in the real `dist/`. */
export interface Checkout {
  readonly folder: string;
  build(...args: string[]): ProgramResult;
  startBuild(): ChildProcess;
  /** Runs the program through a link to the checkout, which is what `npm link` makes. */
  plugboard(...args: string[]): Promise<ProgramResult>;
  /** Starts a program that uses the library. It calls a tool once it is told to continue. */
  startLibraryUser(): Promise<{ finish(): Promise<string> }>;
  /** Changes the help, and a part of the library that is loaded at the first connection. */
  changeSources(words: string): void;
  topLevel(): string[];
  filesInDist(): string[];
  filesOfLastBuild(): string[];
}

export function makeCheckout(): Checkout {
  const folder = mkdtempSync(join(tmpdir(), "plugboard-checkout-"));
  const filter = (path: string): boolean => !path.includes(".runtimes") && !path.endsWith(".test.ts");
  for (const name of COPIED) cpSync(resolve(name), join(folder, name), { recursive: true, filter });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"), "junction");
  const global = join(folder, "global", "node_modules");
  mkdirSync(global, { recursive: true });
  symlinkSync(folder, join(global, "plugboard"), "junction");
  const program = join(global, "plugboard", "dist", "surfaces", "cli", "main.cjs");
  const dist = join(folder, "dist");
  const buildScript = join(folder, "scripts", "build-if-needed.mjs");
  return {
    folder,
    build(...args) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [buildScript, ...args], {
        encoding: "utf8",
      });
      return { code: status, stdout, stderr };
    },
    startBuild: () => spawn(process.execPath, [buildScript], { stdio: "ignore" }),
    plugboard: (...args) =>
      output(spawn(process.execPath, [program, ...args], { cwd: global, stdio: "pipe" })),
    async startLibraryUser() {
      const script = join(folder, "use-library.mjs");
      writeFileSync(script, LIBRARY_USER);
      const child = spawn(process.execPath, [script], { stdio: "pipe" });
      const result = output(child);
      await once(child.stdout, "data");
      return {
        async finish() {
          child.stdin.end();
          const { stdout, stderr } = await result;
          return stdout + stderr;
        },
      };
    },
    changeSources(words) {
      const help = join(folder, "src", "surfaces", "shared", "help", "help-pages.lazy.ts");
      const text = readFileSync(help, "utf8");
      const changed = text.replace(/Exit codes: [^"]*/, `Exit codes: ${words}`);
      if (changed === text) throw new Error("The help has no line about exit codes");
      writeFileSync(help, changed);
      const loadedLate = join(folder, "src", "connection", "open-connection.lazy.ts");
      appendFileSync(loadedLate, `\nObject.assign(globalThis, { plugboardBuild: "${words}" });\n`);
    },
    topLevel: () => readdirSync(folder).filter((name) => name.startsWith("dist")),
    filesInDist: () =>
      readdirSync(dist, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name !== ".build.json")
        .map((entry) => relative(dist, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
        .sort(),
    filesOfLastBuild() {
      const text = readFileSync(join(dist, ".build.json"), "utf8");
      return (JSON.parse(text) as { files: string[] }).files.sort();
    },
  };
}

const LIBRARY_USER = `
import { createHost } from "./dist/index.js";
console.log("imported");
for await (const _ of process.stdin);
const host = await createHost({
  discover: false,
  servers: { demo: { command: process.execPath, args: ["dist/surfaces/demo/main.js"], cwd: import.meta.dirname } },
});
try {
  const result = await host.call("demo", "text_stats", { text: "hello there" });
  console.log(result.text);
} finally {
  await host.close();
}
`;

function output(child: ChildProcess): Promise<ProgramResult> {
  let [stdout, stderr] = ["", ""];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return new Promise((done, reject) => {
    child.once("error", reject);
    child.once("close", (code) => done({ code, stdout, stderr }));
  });
}
