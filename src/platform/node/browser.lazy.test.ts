import { chmod, mkdtemp, readFile, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { reportTests } from "../../../test/durability/counts.ts";
import { openInBrowser } from "./browser.lazy.ts";

const PATH = process.env["PATH"];
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "opener-"));
  const opener = join(folder, "xdg-open");
  await writeFile(
    opener,
    `#!/bin/sh\nprintf '%s\\n' "$#" "$@" > "${folder}/got.part"; mv "${folder}/got.part" "${folder}/got"\n`,
  );
  await chmod(opener, 0o755);
  process.env["PATH"] = `${folder}:${PATH}`;
  process.env["SystemRoot"] = `${folder}/`; // on Linux, a backslash is part of the name
});
afterEach(() => {
  process.env["PATH"] = PATH;
  delete process.env["SystemRoot"];
});

const got = () => vi.waitFor(() => readFile(join(folder, "got"), "utf8"), { timeout: 15_000 });

describe.skipIf(process.platform !== "linux")("the browser", () => {
  describe("with hostile URLs", () => {
    reportTests("URLs opened in the browser: one argument, no shell, web pages only");

    test.each([
      "https://as.example/;touch%20x",
      "https://as.example/a;touch x",
      "https://as.example/$(touch x)",
      "https://as.example/`touch x`",
      "https://as.example/?a=b&touch x&",
      "https://as.example/?a=|touch x",
      'https://as.example/?a="&calc.exe&"',
      "https://as.example/?a='; touch x; '",
      "https://as.example/?a=%0atouch x",
      "https://as.example/\ntouch x",
      "https://as.example/?--help",
      "https://as.example/\\..\\calc.exe",
      "https://as.example/?a=${PATH}",
      "https://as.example/>x",
      "https://as.example/*",
      "https://as.example/~",
      "https://as.example/#;touch x",
      "https://日本.example/",
      "http://127.0.0.1:1/?a=!!",
    ])("gets %j as one argument, without a shell", async (address) => {
      const url = new URL(address);
      expect(await openInBrowser(url)).toBe(true);
      expect(await got()).toBe(`1\n${url.href}\n`);
      expect(url.href).toMatch(/^https?:\/\/[!-~]*$/);
    });

    test.each([
      "file:///etc/passwd",
      "javascript:alert(1)",
      "ms-msdt:/id",
      "data:text/html,x",
      "ftp://host/",
    ])("is not opened for %s", async (address) => {
      expect(await openInBrowser(new URL(address))).toBe(false);
      await expect(readFile(join(folder, "got"))).rejects.toThrow("ENOENT");
    });
  });

  test.each([
    ["darwin", "open", []],
    ["win32", "\\System32\\rundll32.exe", ["url.dll,FileProtocolHandler"]],
  ])("is opened on %s with %s", async (platform, opener, words) => {
    await rename(join(folder, "xdg-open"), join(folder, opener));
    expect(await openInBrowser(new URL("https://as.example/?a=b&calc"), platform)).toBe(true);
    expect(await got()).toBe([words.length + 1, ...words, "https://as.example/?a=b&calc", ""].join("\n"));
  });

  test.each([
    ["linux", "xdg-open"],
    ["darwin", "open"],
    ["win32", "rundll32"],
  ])("is never a program from the working folder on %s", async (platform, opener) => {
    await rename(join(folder, "xdg-open"), join(folder, opener));
    process.env["PATH"] = `${relative(process.cwd(), folder)}::.:${join(folder, "nowhere")}`;
    await openInBrowser(new URL("https://as.example/"), platform);
    await expect(readFile(join(folder, "got.part"))).rejects.toThrow("ENOENT"); // this PATH has no mv
  });

  test("that does not exist, or fails, is reported", async () => {
    await writeFile(join(folder, "xdg-open"), "#!/bin/sh\nexit 3\n");
    expect(await openInBrowser(new URL("https://as.example/"))).toBe(false);
    process.env["PATH"] = join(folder, "nowhere");
    expect(await openInBrowser(new URL("https://as.example/"))).toBe(false);
  });
});
