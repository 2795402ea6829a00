import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { shellWord } from "./shell-word.ts";

test.each(["files", "my-server", "my.server", "my_server", "@scope", "plugin:a:b", ".."])(
  "the name %s needs no quotes",
  (name) => {
    expect(shellWord(name)).toBe(name);
  },
);

test.each(["two words", "x; echo pwned", "$(id)", "`id`", "it's", "a|b", "~", "*", '"', "日本", "a\\b"])(
  "a shell reads the name %s as one word",
  (name) => {
    const printed = execFileSync("/bin/sh", ["-c", `printf '%s|' ${shellWord(name)}`], { encoding: "utf8" });
    expect(printed).toBe(`${name}|`);
  },
);

test.each(["", "x\u001b[31m", "x\ny", "x\u202ey", " x", "-x", "--trust-project", "--out=x y"])(
  "the name %j becomes a placeholder",
  (name) => {
    expect(shellWord(name)).toBe("<server>");
  },
);
