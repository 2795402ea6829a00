import fc from "fast-check";
import { expect, test } from "vitest";
import { parseJson } from "../documents/index.ts";
import { compareLocks, type LockEntry, readLockFile, writeLockFile } from "./lock-file.ts";

const HASH = "a".repeat(64);
const hash = fc.constantFrom(HASH, "b".repeat(64));
const entry: fc.Arbitrary<LockEntry> = fc.record(
  {
    launch: hash,
    package: fc.record(
      { ecosystem: fc.constant("npm"), name: fc.string(), version: fc.string(), integrity: fc.string() },
      { requiredKeys: ["ecosystem", "name"] },
    ),
    tools: fc.dictionary(fc.string(), hash),
    sandbox: fc.constantFrom(true, false, { read: ["a"] }),
    chosenSandbox: fc.constantFrom(true, false, { read: ["a"] }),
  },
  { requiredKeys: ["launch"] },
);

test("a written lock file can be read, and has no differences", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1 }), entry), (servers) => {
      const text = writeLockFile(servers);
      const read = readLockFile(parseJson(text));
      expect(read.problems).toEqual([]);
      expect(writeLockFile(read.servers)).toBe(text);
      expect(compareLocks(read.servers, servers)).toEqual([]);
    }),
  );
});

test("every problem in a lock file has its line", () => {
  const text = `{
  "lockfileVersion": 2,
  "servers": {
    "a": { "launch": "x" },
    "b": 1,
    "c": { "launch": "${HASH}",
      "tools": { "t": "short" } }
  }
}`;
  const { problems, servers } = readLockFile(parseJson(text));
  expect(problems.map(({ at, message }) => [at?.line, message])).toEqual([
    [2, '"lockfileVersion" must be 1'],
    [4, '"launch" must be a SHA-256 hash'],
    [5, '"b" must be an object'],
    [7, 'the hash of "t" must be a SHA-256 hash'],
  ]);
  expect(Object.keys(servers)).toEqual([]);
});

test("every kind of drift is found", () => {
  const locked = {
    a: {
      launch: HASH,
      package: { ecosystem: "npm", name: "p", version: "1.0.0", integrity: "i" },
      tools: { t: HASH },
    },
    gone: { launch: HASH },
  };
  const current = {
    a: {
      launch: "b".repeat(64),
      package: { ecosystem: "npm", name: "p", version: "1.0.1", integrity: "j" },
      tools: { u: HASH },
      sandbox: true,
    },
    fresh: { launch: HASH },
  };
  expect(compareLocks(locked, current).map(({ server, kind }) => `${server} ${kind}`)).toEqual([
    "a launch",
    "a package",
    "a package",
    "a sandbox",
    "a tool",
    "a tool",
    "fresh notLocked",
    "gone missing",
  ]);
});
