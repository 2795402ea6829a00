import { expect, test } from "vitest";
import { makeZip } from "../../../test/support/make-zip.ts";
import { listZip } from "./read-zip.ts";

test("reads the files of an archive", async () => {
  const text = "é".repeat(10_000);
  const files = listZip(
    makeZip([
      { path: "manifest.json", text: "{}" },
      { path: "bin/run", text, mode: 0o100755 },
      { path: "folder/", text: "" },
      { path: "link", text: "/etc/passwd", mode: 0o120777 },
    ]),
  );
  expect(files.map(({ path, isExecutable }) => [path, isExecutable])).toEqual([
    ["manifest.json", false],
    ["bin/run", true],
  ]);
  expect(new TextDecoder().decode(await files[1]?.read())).toBe(text);
});

test.each([
  "../x",
  "/etc/x",
  "a/../../x",
  "a//x",
  "C:\\x",
  "a\\..\\x",
  "C:x",
  "a\u0000",
  "./x",
  "x".repeat(500),
])("an archive with the path %j is refused", (path) => {
  expect(() => listZip(makeZip([{ path, text: "x" }]))).toThrow("a path in it");
});

test("a path that occurs twice, in any case, is refused", () => {
  expect(() =>
    listZip(
      makeZip([
        { path: "a", text: "1" },
        { path: "A", text: "2" },
      ]),
    ),
  ).toThrow("a path twice");
});

test("content that is larger than announced is refused", async () => {
  const [bomb] = listZip(makeZip([{ path: "a", text: "0".repeat(1_000_000), size: 10 }]));
  await expect(bomb?.read()).rejects.toThrow("a file in it is damaged");
  expect(() => listZip(makeZip([{ path: "a", text: "", size: 0xffff_fff0 }]))).toThrow(
    "its content is too large",
  );
});

test("damaged archives are refused, and never read beyond their end", async () => {
  const whole = makeZip([{ path: "manifest.json", text: "{}".repeat(50) }]);
  for (let length = 0; length < whole.length; length += 1)
    expect(() => listZip(whole.subarray(0, length))).toThrow();
  for (let at = 0; at < whole.length; at += 1) {
    const changed = Buffer.from(whole);
    changed[at] = (changed[at] ?? 0) ^ 0xff;
    try {
      for (const file of listZip(changed)) await file.read();
    } catch (error) {
      expect(error).toBeInstanceOf(Error);
    }
  }
});
