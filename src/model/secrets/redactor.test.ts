import { inspect } from "node:util";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HostError } from "../host-error.ts";
import { isSecretName, looksSecret, maskArguments, maskUrl, Redactor } from "./redactor.ts";

describe("a secret in text", () => {
  test("is masked everywhere", () => {
    const redactor = new Redactor();
    redactor.add("hunter22");
    expect(redactor.redact("no hunter22 here, hunter22!")).toBe("no [secret] here, [secret]!");
  });

  test("is masked completely if it starts with another secret", () => {
    const redactor = new Redactor();
    redactor.add("hunter");
    redactor.add("hunter-and-more");
    expect(redactor.redact("hunter-and-more, hunter")).toBe("[secret], [secret]");
  });

  test("does not change the mask of another secret", () => {
    const redactor = new Redactor();
    redactor.add("hunter22");
    redactor.add("secret");
    expect(redactor.redact("hunter22")).toBe("[secret]");
  });

  test("can contain special characters of regular expressions", () => {
    const redactor = new Redactor();
    redactor.add("a.c$&(x)");
    expect(redactor.redact("abc$&(x) a.c$&(x)")).toBe("abc$&(x) [secret]");
  });

  test("is not masked if it is so short that it occurs in ordinary text", () => {
    const redactor = new Redactor();
    redactor.add("a");
    redactor.add("true");
    expect(redactor.redact("a true story")).toBe("a true story");
  });

  test("is never left after redaction", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 6 }), { minLength: 1 }), fc.string(), (values, around) => {
        const redactor = new Redactor();
        for (const value of values) redactor.add(value);
        const redacted = redactor.redact(values.join(around)).replaceAll("[secret]", "\0");
        expect(values.filter((value) => redacted.includes(value))).toEqual([]);
      }),
    );
  });

  test("of four or five characters is masked only as a whole word", () => {
    const redactor = new Redactor();
    redactor.add("4711");
    redactor.add("abc");
    expect(redactor.redact("pin 4711, 47110, x4711, /4711/, abc")).toBe(
      "pin [secret], 47110, x4711, /[secret]/, abc",
    );
  });

  const ODD = 'pa ss/"w&rd"+é';
  test.each([
    ["in a URL", encodeURIComponent(ODD)],
    ["encoded twice in a URL", encodeURIComponent(encodeURIComponent(ODD))],
    ["in a form", new URLSearchParams({ a: ODD }).toString().slice(2)],
    ["in the path of a parsed URL", new URL(`http://h/${ODD}`).pathname.slice(1)],
    ["in JSON", JSON.stringify(ODD).slice(1, -1)],
    ["in JSON inside JSON", JSON.stringify(JSON.stringify(ODD)).slice(3, -3)],
    ["in HTML", "pa ss/&quot;w&amp;rd&quot;+é"],
    ["in upper case", ODD.toUpperCase()],
    ["percent-encoded in lower case", encodeURIComponent(ODD).toLowerCase()],
  ])("is masked %s", (_, written) => {
    const redactor = new Redactor();
    redactor.add(ODD);
    expect(redactor.redact(`<${written}>`)).toBe("<[secret]>");
  });

  test.each(["", "a", "ab", "me:"])("is masked inside base64, after %j", (before) => {
    const redactor = new Redactor();
    redactor.add("hunter2hunter2?>~");
    for (const encoding of ["base64", "base64url"] as const) {
      const text = Buffer.from(`${before}hunter2hunter2?>~and more`).toString(encoding);
      const redacted = redactor.redact(text);
      expect(redacted).toContain("[secret]");
      expect(redacted.length).toBeLessThan(text.length - 8);
    }
  });

  test("of several lines is masked line by line", () => {
    const redactor = new Redactor();
    redactor.add("first-line\r\n  second-line\n");
    expect(redactor.redact("a second-line\nb first-line")).toBe("a [secret]\nb [secret]");
  });

  test("as long as a file is masked, and so are thousands of secrets", () => {
    const redactor = new Redactor();
    const long = "0123456789abcdef".repeat(4096);
    redactor.add(long);
    for (let at = 0; at < 3000; at += 1) redactor.add(`value-${at}-of-many`);
    expect(redactor.redact(`<${long}> value-2999-of-many`)).toBe("<[secret]> [secret]");
  });

  test("that was truncated is masked", () => {
    const redactor = new Redactor();
    redactor.add("hunter2hunter2hunter2");
    expect(redactor.redact("no hunter2hunter… and hunt…")).toBe("no [secret]… and hunt…");
  });

  test.each(["true", "info", "localhost", "production"])(
    "is not masked if it is the common setting %s",
    (value) => {
      const redactor = new Redactor();
      redactor.add(value);
      expect(redactor.redact(`it is ${value}`)).toBe(`it is ${value}`);
    },
  );

  test("that is short is hidden by replacing the text around it", () => {
    const redactor = new Redactor();
    redactor.addText("http://h/42/mcp", "http://h/${AREA}/mcp");
    expect(redactor.redact("42 at http://h/42/mcp, http://h/42/mcp2")).toBe(
      "42 at http://h/${AREA}/mcp, http://h/42/mcp2",
    );
  });

  test("that contains a replaced text is masked completely", () => {
    const redactor = new Redactor();
    redactor.addText("http://h/42", "http://h/${AREA}");
    redactor.add("http://h/42?key=hunter2");
    expect(redactor.redact("at http://h/42?key=hunter2")).toBe("at [secret]");
  });

  test("of any length is masked in system errors about its server", () => {
    const redactor = new Redactor();
    redactor.addForServer("a", ["x", "42"]);
    const cause = Object.assign(new Error("spawn x ENOENT 42"), {
      spawnargs: ["x", "y"],
      port: 42,
      code: "x",
    });
    const error = new HostError("CONNECT_FAILED", "x is not there", { server: "a", cause });
    redactor.redactError(error);
    expect([error.message, cause.message, cause.spawnargs, cause.port, cause.code]).toEqual([
      "x is not there",
      "spawn [secret] ENOENT [secret]",
      ["[secret]", "y"],
      "[secret]",
      "x",
    ]);
    expect(redactor.redactForServer("b", "x 42")).toBe("x 42");
  });

  test.each([
    ["Authorization: Bearer abc.def-123456", "Authorization: [secret]"],
    ["authorization: bearer ABCDEF123456", "authorization: [secret]"],
    ["Basic dXNlcjpwYXNz", "[secret]"],
    ["jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc", "jwt [secret]"],
    ["key sk-made-up-for-this-test-0123", "key [secret]"],
    ["ghp_abcdefghijklmnopqrstuvwxyz0123456789", "[secret]"],
    ["github_pat_11ABCDEFG0abcdefghijkl", "[secret]"],
    ["npm_abcdefghijklmnopqrstuvwxyz0123456789", "[secret]"],
    ["lin_api_abcdefghijklmnopqrstuvwxyz0123456789", "[secret]"],
    ["figd_abcdefghijk-lmnopqrstuvwxyz_0123", "[secret]"],
    ["ASIAIOSFODNN7EXAMPLE", "[secret]"],
    ["glpat-abcdefghijklmnopqrst", "[secret]"],
    ["xoxb-1234567890-abcdef", "[secret]"],
    ["AKIAIOSFODNN7EXAMPLE", "[secret]"],
    ["AIzaSyA1234567890abcdefghijklmnopqrstuv", "[secret]"],
  ])("%j is recognized by its format", (text, redacted) => {
    expect(new Redactor().redact(text)).toBe(redacted);
  });

  test.each([
    "Basic authentication failed",
    "A Bearer authorization header is needed",
    "risk-assessment of the task",
    "use npx",
    "npm_config_minimum_release_age and npm_package_config_port",
  ])("%j is not masked", (text) => {
    expect(new Redactor().redact(text)).toBe(text);
  });
});

describe("secrets in arguments", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ["after a flag", ["--api-key", "abc"], ["--api-key", "[secret]"]],
    ["after a flag with one dash", ["-token", "abc"], ["-token", "[secret]"]],
    ["after an equals sign", ["--token=abc"], ["--token=[secret]"]],
    ["in a variable assignment", ["-e", "GITHUB_TOKEN=abc"], ["-e", "GITHUB_TOKEN=[secret]"]],
    ["in a variable without separators", ["PGPASSWORD=abc"], ["PGPASSWORD=[secret]"]],
    ["after a camel-case flag", ["--apiKey", "abc"], ["--apiKey", "[secret]"]],
    ["in a header", ["-H", "X-API-Key: abc"], ["-H", "X-API-Key: [secret]"]],
    ["in a credential header", ["--header", "Authorization: abc"], ["--header", "Authorization: [secret]"]],
    ["after a flag without a value", ["--token", "--api-key=abc"], ["--token", "--api-key=[secret]"]],
    ["in a database URL", ["postgres://me:abc@host/db"], ["postgres://me:[secret]@host/db"]],
    ["in a URL after a flag", ["--db=pg://me:abc@host/db"], ["--db=pg://me:[secret]@host/db"]],
    ["in a query", ["https://x.dev/?token=abc&a=1"], ["https://x.dev/?token=[secret]&a=1"]],
    ["with a known format", ["run", "ghp_abcdefghijklmnopqrstuvwxyz"], ["run", "[secret]"]],
    [
      "in a connection string",
      ["Server=db;User Id=me;Password=abc;Encrypt=true"],
      ["Server=db;User Id=me;Password=[secret];Encrypt=true"],
    ],
    ["in JSON", ['{"url":"x","auth":{"apiKey":"abc"}}'], ['{"url":"x","auth":{"apiKey":"[secret]"}}']],
    ["after a sandbox's option", ["--setenv", "API_KEY", "abc"], ["--setenv", "API_KEY", "[secret]"]],
    ["as the default of a variable", ["--token", "${TOKEN:-abc}"], ["--token", "[secret]"]],
  ])("%s are masked", (_, args, masked) => {
    expect(maskArguments(args)).toEqual(masked);
  });

  test.each([
    [["-y", "@modelcontextprotocol/server-filesystem", "/home/me/monkey"]],
    [["--token", "${GITHUB_TOKEN}"]],
    [["--token=${GITHUB_TOKEN}", "-H", "Authorization: Bearer ${AUTH}"]],
    [["--name", "key", "--port=8080", "a=b"]],
    [["https://example.com/mcp?page=2#top"]],
    [["Server=db;Password=${DB_PASSWORD};Encrypt=true", '{"token":"${TOKEN}","max_tokens":"5"}']],
    [["--setenv", "MODE", "abc"]],
    [["A=1; TOKEN=$(pass show token) npx x"]],
  ])("%j is unchanged", (args) => {
    expect(maskArguments(args)).toEqual(args);
  });
});

describe("secrets in a URL", () => {
  test.each([
    ["https://me:pass@example.com/mcp", "https://me:[secret]@example.com/mcp"],
    ["https://me:p@ss@example.com/mcp", "https://me:[secret]@example.com/mcp"],
    ["https://example.com/?api_key=abc&page=2", "https://example.com/?api_key=[secret]&page=2"],
    ["https://example.com/?page=2&accessToken=abc#x", "https://example.com/?page=2&accessToken=[secret]#x"],
    ["https://example.com/#access_token=abc", "https://example.com/#access_token=[secret]"],
    ["https://example.com/sk-abcdefghijklmnopqrstuv/mcp", "https://example.com/[secret]/mcp"],
  ])("%s is masked as %s", (url, masked) => {
    expect(maskUrl(url)).toBe(masked);
  });

  test.each([
    "https://example.com:8443/mcp?page=2&q=a@b",
    "https://example.com/?token=${TOKEN}",
    "https://me@example.com/mcp",
    "not a URL",
  ])("%s is unchanged", (url) => {
    expect(maskUrl(url)).toBe(url);
  });
});

test("a cause that is not an error is masked, too", () => {
  const redactor = new Redactor();
  redactor.add("hunter2hunter2");
  const nested = new Error("a", { cause: new Error("b", { cause: { description: "not hunter2hunter2" } }) });
  const plain = new Error("c", { cause: "hunter2hunter2" });
  redactor.redactError(nested);
  redactor.redactError(plain);
  expect([inspect(nested, { depth: 20 }), plain.cause]).toEqual([
    expect.not.stringContaining("hunter2"),
    "[secret]",
  ]);
});

test("an error is masked with all of its causes and properties", () => {
  const redactor = new Redactor();
  redactor.add("hunter2hunter2");
  const root = Object.assign(new Error("root hunter2hunter2"), {
    failure: { kind: "refused", data: [{ deep: "hunter2hunter2" }], code: 1 },
    date: new Date(0),
  });
  const { failure, date } = root;
  const error = new HostError("CONNECT_FAILED", "said hunter2hunter2", {
    hint: "not hunter2hunter2",
    cause: root,
  });
  redactor.redactError(error);
  expect(inspect(error, { depth: 20 })).not.toContain("hunter2");
  expect([error.message, error.hint, error.code, root.message]).toEqual([
    "said [secret]",
    "not [secret]",
    "CONNECT_FAILED",
    "root [secret]",
  ]);
  expect(root.failure).toEqual({ ...failure, data: [{ deep: "[secret]" }] });
  expect(root.date).toBe(date);
  redactor.redactError("no error at all");
});

describe("long hostile text is masked in linear time", () => {
  const SIZE = 500_000;
  const long = (piece: string, first = ""): string => first + piece.repeat(SIZE / piece.length);
  const TEXTS: readonly string[] = [
    long("eyJ-"),
    long("eyJaaaaaaaa."),
    long("-eyJaaaaaaaa"),
    long("eyJaaaaaaaa", "eyJ"),
    long("sk-"),
    long("sk-aaaa_-"),
    long("bearer "),
    long("bearer\t\n"),
    long(" ", "bearer"),
    long("a", "bearer "),
    long("a.", "bearer "),
    long("Basic a "),
    long("ghp_"),
    long("lin_api_"),
    long("figd_-"),
    long("github_pat_"),
    long("glpat-"),
    long("xoxb-"),
    long("AKIA"),
    long("AIza-"),
    long("?"),
    long("&"),
    long("#"),
    long("?a"),
    long("?token="),
    long("?=", "a"),
    long("://"),
    long("://a:"),
    long("://:a"),
    long(":"),
    long("@", "://a:"),
    long("a", "://a:"),
    long("://a:@"),
    long("\n"),
    long("="),
    long("-"),
    long("${"),
    long("${a", "bearer "),
    long("${a:-", "--token="),
    long("aA"),
    long("key"),
    long("_key-"),
    long("…"),
    long("hunte"),
    long(";a="),
    long(";"),
    long(";token=", "a"),
    long('"a":"'),
    long('"a" '),
    long('"token":"\\\\'),
    long(" ", '"token"'),
  ];
  const titleOf = (text: string): string => JSON.stringify(text.slice(0, 20));

  test.each(TEXTS.map((text) => [titleOf(text), text]))("%s", (_, text) => {
    const redactor = new Redactor();
    redactor.add("hunter2hunter2");
    for (const tail of ["", "!"]) {
      redactor.redact(text + tail);
      maskUrl(text + tail);
      maskArguments([text + tail, text + tail]);
      looksSecret(text + tail, text + tail);
    }
  });
});

test.each([
  ["a long token", `eyJ${"a".repeat(20_000)}.${"b".repeat(20_000)}.${"c".repeat(20_000)}`],
  ["a token after a hyphen", "eyJhbGciOiJ-eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"],
  ["a token after an equals sign", "=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"],
  ["a long key", `sk-${"a".repeat(100_000)}`],
  ["a long bearer token", `Bearer ${"aB1".repeat(50_000)}`],
])("%s is masked completely", (_, token) => {
  const masked = new Redactor().redact(`x ${token} y`);
  expect(masked.length).toBeLessThan(40);
  expect(masked).not.toMatch(/aaa|bbb|ccc|c2lnbm|aB1/);
});

test.each([
  ["Python, Go and Node", "pass\u0001word-x", "pass\\x01word-x"],
  ["JSON", "pass\u0001word-x", "pass\\u0001word-x"],
  ["the shell", "pass\u0001word-x", "pass\\001word-x"],
  ["Rust", "pass\u0001word-x", "pass\\u{1}word-x"],
  ["Python, with a backslash", "pass\\word-x", "pass\\\\word-x"],
  ["Python, with both quotes", `pass'wo"rd-x`, `pass\\'wo"rd-x`],
  ["Python's json module, which writes only ASCII", "p\u00e4ssword-\u20ac", "p\\u00e4ssword-\\u20ac"],
  ["Python's ascii()", "p\u00e4ssword-\u20ac\u{1f600}", "p\\xe4ssword-\\u20ac\\U0001f600"],
  ["Python's bytes", "p\u00e4ssword-x", "p\\xc3\\xa4ssword-x"],
  ["a program that escapes newlines", "first-line\nsecond", "first-line\\nsecond"],
])("a value is masked as %s prints it", (_, value, printed) => {
  const redactor = new Redactor();
  redactor.add(value);
  expect(redactor.redact(`<${printed}>`)).toBe("<[secret]>");
});

test.each(["GITHUB_PAT", "PAT", "PASS", "--pass", "passphrase", "TOKENS", "apiTokens", "DB_PW", "API_KEYS"])(
  "%s is a secret name",
  (name) => {
    expect(isSecretName(name)).toBe(true);
  },
);

test.each(["MAX_TOKENS", "--max-tokens", "maxTokens", "PATH", "BYPASS", "COMPASS", "FORMAT"])(
  "%s is not a secret name",
  (name) => {
    expect(isSecretName(name)).toBe(false);
  },
);

test.each(["/", "/?k=", "/#", "//"])("a value is masked as a URL after %j writes it", (lead) => {
  for (const value of ["CanAry S3crét/V+l=Zq%41", 'CanAry S3crét/V+l=Zq"{x}|^', "a|b^c d%[e]`f~"]) {
    const redactor = new Redactor();
    redactor.add(value);
    const url = lead === "//" ? new URL("http://h/") : new URL(`http://h${lead}${value}`);
    if (lead === "//") url.username = value;
    const text = redactor.redact(`the metadata are those of ${url.href}x`);
    expect(text).toMatch(/\[secret\](?:@h\/)?x$/);
  }
});

test("a path that the URL parser shortens does not mask ordinary words", () => {
  const redactor = new Redactor();
  redactor.add("secret/../server");
  expect(redactor.redact("the server")).toBe("the server");
});

test("a secret in a text that was cut off inside of it is masked", () => {
  const redactor = new Redactor();
  redactor.add("zebra-quartz-velvet-7");
  expect(redactor.maskLongValues()?.("Use zebra-quartz-vel…")).toBe("Use [secret]…");
});

test("a secret is masked as a key of a value, too", () => {
  const redactor = new Redactor();
  redactor.add("hunter22");
  const value = { "for hunter22": { hunter22: [1] }, other: 2 };
  expect(redactor.redactValue(value)).toEqual({ "for [secret]": { "[secret]": [1] }, other: 2 });
  const clean = { a: { b: "c" } };
  expect(redactor.redactValue(clean)).toBe(clean);
});
