import { expect, test } from "vitest";
import { Redactor, Secret } from "../model/index.ts";
import { serverEnvironment, withProxySecrets } from "./server-environment.ts";

type Variables = Readonly<Record<string, string>>;

function given(
  platform: string,
  variables: Variables,
  inherit: boolean | readonly string[] = false,
  declared: Variables = {},
): Record<string, string> {
  const secrets = new Map(Object.entries(declared).map(([name, value]) => [name, new Secret(value)]));
  return serverEnvironment({ platform, home: "/", cwd: "/", variables }, inherit, secrets);
}

const numbered = (names: string): Variables =>
  Object.fromEntries(names.split(/\s+/).map((name, index) => [name, `/${index}`]));

test.each([
  [
    "linux",
    "HOME LOGNAME PATH SHELL TERM USER LANG LC_ALL LC_CTYPE TZ TMPDIR XDG_CONFIG_HOME XDG_RUNTIME_DIR HTTP_PROXY https_proxy no_proxy ALL_PROXY SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE",
  ],
  ["darwin", "HOME LOGNAME PATH SHELL TERM USER TMPDIR __CF_USER_TEXT_ENCODING COMMAND_MODE"],
  [
    "win32",
    "Path PATHEXT SystemRoot SystemDrive windir ComSpec TEMP TMP APPDATA LOCALAPPDATA ProgramData ProgramFiles ProgramFiles(x86) ProgramW6432 CommonProgramFiles USERNAME USERPROFILE HOMEDRIVE HOMEPATH PROCESSOR_ARCHITECTURE NUMBER_OF_PROCESSORS OS",
  ],
])("a server on %s inherits what every program needs", (platform, names) => {
  const variables = numbered(names);
  expect(given(platform, variables)).toEqual(variables);
});

test.each(["linux", "darwin", "win32"])("a server inherits no other variables: %s", (platform) => {
  const variables = numbered(
    "AWS_SECRET_ACCESS_KEY GITHUB_TOKEN SSH_AUTH_SOCK NODE_OPTIONS LD_PRELOAD DYLD_INSERT_LIBRARIES PYTHONPATH PLUGBOARD_HOME npm_config_registry LCX XDGX",
  );
  expect(given(platform, variables)).toEqual({});
});

test("variable names are case-sensitive except on Windows", () => {
  expect(given("linux", { home: "x", http_proxy: "y", Term: "z" })).toEqual({ http_proxy: "y" });
  expect(given("win32", { MY_KEY: "x" }, ["my_key"])).toEqual({ MY_KEY: "x" });
  expect(given("linux", { MY_KEY: "x" }, ["my_key"])).toEqual({});
});

test("declared variables win, regardless of case on Windows", () => {
  expect(given("win32", { Path: "theirs", OTHER: "x" }, true, { PATH: "its own" })).toEqual({
    OTHER: "x",
    PATH: "its own",
  });
  expect(given("linux", { PATH: "theirs" }, false, { PATH: "its own" })).toEqual({ PATH: "its own" });
});

test("relative folders on PATH are not inherited, but those in the entry are kept", () => {
  const path = "./node_modules/.bin:/usr/bin::bin:/bin:.";
  const environment = { platform: "linux", home: "/h", cwd: "/w", variables: { PATH: path } };
  expect(serverEnvironment(environment, false, new Map())).toEqual({ PATH: "/usr/bin:/bin" });
  expect(serverEnvironment(environment, true, new Map())).toEqual({ PATH: "/usr/bin:/bin" });
  const declared = new Map([["PATH", new Secret("./bin")]]);
  expect(serverEnvironment(environment, false, declared)).toEqual({ PATH: "./bin" });
});

test.each([
  ["HTTP_PROXY", "http://me:proxypw99@proxy:1", "proxypw99", "[secret]"],
  ["https_proxy", "me:proxypw99@proxy:1", "http://me:proxypw99@proxy:1/", "http://me:[secret]@proxy:1/"],
  ["All_Proxy", "socks5://me:pw:with@signs@proxy:1", "pw:with@signs", "[secret]"],
  ["HTTPS_PROXY", "http://me:p%40ssword@proxy", "p%40ssword p@ssword", "[secret] [secret]"],
  ["HTTPS_PROXY", "http://token-as-user@proxy", "token-as-user", "[secret]"],
  ["HTTPS_PROXY", "http://token-as-user:@proxy", "token-as-user", "[secret]"],
  ["HTTP_PROXY", "http://me:abc@proxy", "proxy is http://me:abc@proxy", "proxy is http://me:[secret]@proxy"],
  ["HTTP_PROXY", "http://me:%zz-pass@proxy", "%zz-pass", "[secret]"],
  ["HTTP_PROXY", "http://proxy.example:8080", "http://proxy.example:8080", "http://proxy.example:8080"],
  ["NO_PROXY", "example.org", "example.org", "example.org"],
])("the credentials of %s=%s are masked", (name, value, text, shown) => {
  const environment = { platform: "linux", home: "/", cwd: "/", variables: { [name]: value } };
  expect(withProxySecrets(new Redactor(), environment).redact(text)).toBe(shown);
});

test("no list of code folders includes the working folder", () => {
  const lists = { PYTHONPATH: ":/opt/lib:.", LD_LIBRARY_PATH: "lib", PERL5LIB: "", DATABASE_PATH: "data.db" };
  expect(given("linux", lists, true)).toEqual({
    PYTHONPATH: "/opt/lib",
    PERL5LIB: "",
    DATABASE_PATH: "data.db",
  });
  expect(given("linux", { PATH: "bin" })).toEqual({});
  expect(given("win32", { Path: "bin;C:\\bin;;D:x" })).toEqual({ Path: "C:\\bin" });
});

test("a declared list expands the tilde and drops unresolved placeholders", () => {
  const declared = { PYTHONPATH: "~/lib:$LIB/x:/opt", NODE_PATH: "$HOME/x" };
  const secrets = new Map(Object.entries(declared).map(([name, value]) => [name, new Secret(value)]));
  const environment = { platform: "linux", home: "/h", cwd: "/w", variables: {} };
  expect(serverEnvironment(environment, false, secrets)).toEqual({ PYTHONPATH: "/h/lib:/opt" });
});
