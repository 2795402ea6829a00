import { describe, expect, test } from "vitest";
import { UNCHECKED_REST, unpinnedInShell, unpinnedPackages } from "./unpinned-packages.ts";

const SHA = "a".repeat(40);
const DIGEST = "b".repeat(64);

test.each<[line: readonly string[], unpinned: readonly string[]]>([
  [["npx", "-y", "x"], ["x"]],
  [["npx", "-y", "x@1.2.3"], []],
  [["npx", "-y", "@acme/x"], ["@acme/x"]],
  [["npx", "-y", "@acme/x@1.2.3-rc.1", "--flag"], []],
  [["npx", "-y", "x@latest"], ["x@latest"]],
  [["npx", "-y", "x@^1.2.3"], ["x@^1.2.3"]],
  [["npx", "-y", "x@1"], ["x@1"]],
  [["npx", "-y", "x@${VERSION}"], ["x@${VERSION}"]],
  [["npx", "-y", "y@npm:x@1.2.3"], []],
  [["npx", "--yes", "--package=a@1.0.0", "-p", "b", "run-it", "extra"], ["b"]],
  [["npx", "--registry", "https://r.test", "x"], ["x"]],
  [["npx", "-y", "https://r.test/x.tgz"], ["https://r.test/x.tgz"]],
  [["npx", "-y", "github:acme/x"], ["github:acme/x"]],
  [["npx", "-y", `github:acme/x#${SHA}`], []],
  [["npx", "./tools/x"], []],
  [["npx", "."], []],
  [["C:\\Program Files\\nodejs\\npx.cmd", "-y", "x"], ["x"]],
  [["cmd", "/c", "npx", "-y", "x"], ["x"]],
  [["sh", "-c", "cd /x && exec npx -y x"], ["x"]],
  [["env", "A=1", "/usr/bin/npx", "x"], ["x"]],
  [["npm", "exec", "--", "x"], ["x"]],
  [["npm", "x", "-y", "x@1.2.3"], []],
  [["npm", "run", "start"], []],
  [["bunx", "x"], ["x"]],
  [["bun", "x", "x@1.2.3"], []],
  [["pnpm", "dlx", "x"], ["x"]],
  [["pnpm", "--silent", "dlx", "x"], ["x"]],
  [["pnpm", "exec", "x"], []],
  [["yarn", "dlx", "-p", "x@1.2.3", "run"], []],
  [["uvx", "x"], ["x"]],
  [["uvx", "x==1.2"], []],
  [["uvx", "x[cli]==1.2"], []],
  [["uvx", "x@1.2.0"], []],
  [["uvx", "x@latest"], ["x@latest"]],
  [["uvx", "x>=1"], ["x>=1"]],
  [["uvx", "--python", "3.12", "--from", "x==1.0", "run"], []],
  [["uvx", "--from", "git+https://g.test/x", "run"], ["git+https://g.test/x"]],
  [["uvx", "--from", `git+https://g.test/x@${SHA}`, "run"], []],
  [["uvx", "--with", "y,z==1", "x==1"], ["y"]],
  [["uv", "tool", "run", "x"], ["x"]],
  [["uv", "run", "--with", "mcp[cli]", "mcp", "run", "server.py"], ["mcp[cli]"]],
  [["uv", "run", "server.py"], []],
  [["pipx", "run", "x"], ["x"]],
  [["pipx", "run", "--spec", "x==1.0", "x"], []],
  [["deno", "run", "-A", "npm:@acme/x"], ["npm:@acme/x"]],
  [["deno", "run", "-A", "npm:@acme/x@1.2.3"], []],
  [["deno", "run", "server.ts"], []],
  [["docker", "run", "-i", "--rm", "mcp/x"], ["mcp/x"]],
  [["docker", "run", "-i", "--rm", "-e", "TOKEN", "--network", "none", "mcp/x:latest"], ["mcp/x:latest"]],
  [["docker", "run", "-it", "-eA=1", "-v", "/a:/b", "--env=B", "r.test:5000/x"], ["r.test:5000/x"]],
  [["docker", "run", "--rm", "r.test:5000/x:1.2", "npx", "y@1.2.3"], []],
  [["docker", "run", `mcp/x@sha256:${DIGEST}`], []],
  [
    ["docker", "--context", "c", "container", "run", "x", "npx", "-y", "y"],
    ["x", "y"],
  ],
  [["podman", "run", "x"], ["x"]],
  [["docker", "compose", "up"], []],
  [["node", "server.js"], []],
  [["bwrap", "--", "npx", "x"], ["x"]],
])("%j runs unpinned: %j", (line, unpinned) => {
  expect(unpinnedPackages(line)).toEqual(unpinned);
});

describe("a command line that is too long to check", () => {
  /** Returns how often a word of the line is read. */
  const readsOf = (line: readonly string[]): number => {
    let reads = 0;
    const counted = new Proxy(line, {
      get(target, key, receiver) {
        if (typeof key === "string" && /^\d+$/.test(key)) reads += 1;
        return Reflect.get(target, key, receiver) as unknown;
      },
    });
    unpinnedPackages(counted);
    return reads;
  };
  const COUNT = 3_000;
  const repeat = (...words: readonly string[]): string[] => Array.from({ length: COUNT }, () => words).flat();

  test.each([
    ["runners", repeat("npx")],
    ["runners as values of flags", repeat("npx", "-p")],
    ["runners with flags before the verb", repeat("uv", "--quiet")],
    ["runners of containers", repeat("docker")],
    ["containers with flags", ["docker", "run", ...repeat("docker", "-e")]],
    ["flags", ["npx", ...repeat("--yes")]],
  ])("is read a limited number of times per word: %s", (_, line) => {
    expect(readsOf(line)).toBeLessThan(200 * COUNT);
  });

  test.each([
    ["one text of a million characters", ["npx ".repeat(250_000)]],
    ["one text for every word", repeat(`npx ${"x ".repeat(100)}`)],
    ["a long list of packages behind many runners", [...repeat("uvx", "--with"), "x,".repeat(400_000)]],
    ["a long flag behind many runners", [...repeat("npx", "-p"), `-${"=".repeat(800_000)}`]],
    ["a long path", ["/x".repeat(500_000)]],
  ])("is checked in part, which is reported: %s", (_, line) => {
    expect(unpinnedPackages(line)).toContain(UNCHECKED_REST);
    expect(unpinnedInShell(line.join(" "))).toContain(UNCHECKED_REST);
  });

  test("has the packages at its beginning reported", () => {
    const line = ["sh", "-c", `npx first; npx second@1.2.3; ${"true; ".repeat(100_000)} npx last`];
    expect(unpinnedPackages(line)).toEqual(["first", UNCHECKED_REST]);
  });
});

test("packages with very long versions are checked in linear time", () => {
  const specs = Array.from({ length: 15 }, (_, index) => `npm:@0.0.${index}${"0".repeat(60_000)}@`);
  expect(specs.flatMap((spec) => unpinnedPackages(["deno", "run", spec])).length).toBe(specs.length);
});

test("a script of usual length is checked to its end", () => {
  expect(unpinnedPackages(["sh", "-c", `${"true; ".repeat(10_000)} npx last`])).toEqual(["last"]);
});
