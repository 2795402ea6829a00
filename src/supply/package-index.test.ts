import { expect, test } from "vitest";
import { readNpmReleases, readPythonReleases } from "./package-index.ts";

test("npm's tag decides which version is the newest, and a deprecation is reported", () => {
  const document = {
    "dist-tags": { latest: "1.2.0", next: "2.0.0-rc.1" },
    versions: { "1.0.0": { deprecated: "Has a bug." }, "1.2.0": {}, "2.0.0-rc.1": {} },
  };
  expect(readNpmReleases(document, "1.0.0")).toEqual({ latest: "1.2.0", deprecated: "Has a bug." });
  expect(readNpmReleases(document, "1.2.0")).toEqual({ latest: "1.2.0" });
  expect(readNpmReleases(document, "toString")).toEqual({ latest: "1.2.0" });
});

test.each([null, [], "x", {}, { "dist-tags": { latest: 3 } }, { "dist-tags": { latest: "1.0.0 -c id" } }])(
  "npm's document %j names no version",
  (document) => {
    expect(readNpmReleases(document, "1.0.0").latest).toBeUndefined();
  },
);

test("previews and withdrawn Python versions do not count", () => {
  const file = (filename: string, yanked: boolean | string = false) => ({ filename, yanked });
  const document = {
    versions: ["1.9.0", "1.10.0", "1.11.0", "2.0.0rc1", "2.0.0.dev1", "9; id"],
    files: [
      file("mcp_fetch-1.9.0-py3-none-any.whl", "Leaks memory."),
      file("mcp-fetch-1.9.0.tar.gz", "Leaks memory."),
      file("mcp_fetch-1.10.0-py3-none-any.whl"),
      file("mcp_fetch-1.11.0-py3-none-any.whl", true),
      file("other-1.10.0.tar.gz", true),
    ],
  };
  expect(readPythonReleases(document, { name: "mcp-fetch", version: "1.9.0" })).toEqual({
    latest: "1.10.0",
    deprecated: "Leaks memory.",
  });
  expect(readPythonReleases(null, { name: "mcp-fetch" })).toEqual({ latest: undefined });
});

test("if an index lists more versions than any real package has, only the last ones are compared", () => {
  const versions = Array.from({ length: 30_000 }, (_, at) => `1.${at}`);
  const document = { versions: ["9.0", ...versions] };
  expect(readPythonReleases(document, { name: "x" })).toEqual({ latest: "1.29999" });
});
