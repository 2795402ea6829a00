import { expect, test } from "vitest";
import { isHostError, Secret } from "../../model/index.ts";
import { createMemoryFiles } from "../../testing/memory-files.ts";
import type { CodeSource, PreparedProgram } from "./preparation.ts";
import { prepareProgram } from "./prepare-program.lazy.ts";

const OUTSIDE: CodeSource = { projectFolder: undefined, declaresFolder: false, wrapLength: 0 };
const PROJECT: CodeSource = { ...OUTSIDE, projectFolder: "/repo" };
const RUNNERS = "/cache/runners";
const BUN = `--config=${RUNNERS}/empty.toml --env-file=${RUNNERS}/empty.toml`;

interface Given {
  readonly source?: CodeSource;
  readonly platform?: string;
  readonly files?: readonly string[];
  readonly variables?: Record<string, string>;
}

function prepare(
  [command = "", ...args]: readonly string[],
  { source = OUTSIDE, platform = "linux", files = [], variables = {} }: Given = {},
): Promise<PreparedProgram> {
  const isWindows = platform === "win32";
  const environment = {
    platform,
    home: isWindows ? "C:\\Users\\me" : "/home/me",
    cwd: isWindows ? "C:\\repo\\sub" : "/repo/sub",
    variables,
  };
  return prepareProgram(
    { transport: "stdio", command, args, cwd: undefined, env: new Map(), inheritEnv: true },
    source,
    {
      environment,
      files: createMemoryFiles(new Map(files.map((file) => [file, ""]))),
      cache: isWindows ? "C:\\Users\\me\\cache" : "/cache",
    },
  );
}

/** Returns the command line, with the folder if it is another one. */
async function lineOf(line: string, given: Given = {}): Promise<string> {
  const { launch } = await prepare(line.split(" "), given);
  const started = [launch.command, ...launch.args].join(" ");
  return launch.cwd === undefined ? started : `${started} [in ${launch.cwd}]`;
}

test.each([
  ["npx -y x", `npx -y x [in /]`],
  ["/usr/bin/npx -y x", `/usr/bin/npx -y x [in /]`],
  ["node /lib/npm/bin/npx-cli.js -y x", `node /lib/npm/bin/npx-cli.js -y x [in /]`],
  ["node /lib/pnpm.cjs dlx x", `node /lib/pnpm.cjs --ignore-workspace --dir=/ dlx x`],
  ["npm exec x", `npm exec x [in /]`],
  ["npm --loglevel silent x x", `npm --loglevel silent x x [in /]`],
  ["cmd /c npx -y x", `cmd /c npx -y x [in /]`],
  ["op run -- npx -y x", `op run -- npx --prefix=/ -y x`],
  ["bunx x", `bunx x [in /]`],
  ["bun x x", `bun x x [in /]`],
  ["yarn dlx x", `yarn dlx x [in /]`],
  ["yarn --cwd /abs start", "yarn --cwd /abs start [in /abs]"],
  ["yarn --silent --cwd=/abs run start", "yarn --silent --cwd=/abs run start [in /abs]"],
  ["node /lib/yarn.js --cwd /abs start", "node /lib/yarn.js --cwd /abs start [in /abs]"],
  ["pnpm -C /abs start", "pnpm -C /abs start [in /abs]"],
  ["pnpm --dir /abs run start", "pnpm --dir /abs run start [in /abs]"],
  // What the entry itself says, or a script's own argument.
  ["yarn --cwd sub start", "yarn --cwd sub start"],
  ["yarn start --cwd /abs", "yarn start --cwd /abs"],
  ["timeout 60 yarn --cwd /abs start", "timeout 60 yarn --cwd /abs start"],
  ["cargo run --manifest-path /abs/Cargo.toml", "cargo run --manifest-path /abs/Cargo.toml"],
  ["corepack yarn dlx x", `corepack yarn dlx x [in /]`],
  ["pnpm dlx x", `pnpm --ignore-workspace --dir=/ dlx x`],
  ["pnpx x", `pnpx --ignore-workspace --dir=/ x`],
  ["uvx x --no-config", "uvx --no-config x --no-config"],
  ["uv tool run x", "uv --no-config tool run x"],
  ["uvx --no-config x", "uvx --no-config x"],
  ["uv run --with mcp mcp run /abs/s.py", "uv --no-config run --no-project --with mcp mcp run /abs/s.py"],
  ["uv --directory /abs run s", "uv --directory /abs run s"],
  ["uv run --with x --directory /abs s", "uv run --with x --directory /abs s"],
  ["uv run s --directory /abs", "uv --no-config run --no-project s --directory /abs"],
  ["uv run --with x python -m y", "uv --no-config run --no-project --with x python -P -m y"],
  ["uv run --project /abs python3 -m y", "uv run --project /abs python3 -P -m y"],
  ["env -u X npx x", `env -u X npx x [in /]`],
  ["env -i PATH=/bin python3 -m x", "env -i PATH=/bin python3 -P -m x"],
  ["env --unset=X -C /abs python3 -m x", "env --unset=X -C /abs python3 -P -m x"],
  ["pipx run x --flag", "pipx run --spec x x --flag"],
  ["pipx run --spec git+https://x y", "pipx run --spec git+https://x y"],
  ["deno run -A npm:x", "deno run --no-config -A npm:x"],
  ["deno run -A /abs/x.ts", "deno run -A /abs/x.ts"],
  ["python3 -m x", "python3 -P -m x"],
  ["/venv/bin/python3.12 -um x", "/venv/bin/python3.12 -P -um x"],
  ["py -3.12 -m x", "py -3.12 -P -m x"],
  ["python3 -I -m x", "python3 -I -m x"],
  ["python3 /abs/x.py -m", "python3 /abs/x.py -m"],
  ["nice python3 -m x", "nice python3 -P -m x"],
  ["conda run -n e python -m x", "conda run -n e python -P -m x"],
  ["taskset -c 0 npx x", `taskset -c 0 npx --prefix=/ x`],
  ["bun /abs/x.ts", `bun ${BUN} /abs/x.ts`],
  ["bun run /abs/x.ts x", `bun ${BUN} run /abs/x.ts x`],
  ["bun run dev", "bun run dev"],
  ["node /abs/x.mjs", "node /abs/x.mjs"],
  ["node ./x.mjs", "node ./x.mjs"],
  ["npm run mcp", "npm run mcp"],
  ["docker run -i x npx -y y", "docker run -i x npx -y y"],
  ["ruby -r json /abs/x.rb", "ruby -r json /abs/x.rb"],
  ["unheard-of --flag npx -y x", `unheard-of --flag npx --prefix=/ -y x`],
  ["flock /tmp/lock python3 -m x", "flock /tmp/lock python3 -P -m x"],
  ["systemd-run --user --pipe uvx x", "systemd-run --user --pipe uvx --no-config x"],
  ["mise exec node@22 -- npx -y x", `mise exec node@22 -- npx --prefix=/ -y x`],
  ["nice bunx x", `nice bunx x [in /]`],
  ["env -C /abs npx x", `env -C /abs npx --prefix=/ x`],
  ["uvx mcp-proxy npx -y x", `uvx --no-config mcp-proxy npx --prefix=/ -y x`],
  ["node /abs/proxy.mjs npx -y x", `node /abs/proxy.mjs npx --prefix=/ -y x`],
  ["python3 -m pipx run x", "python3 -P -m pipx run --spec x x"],
  ["python3 -m uv tool run x", "python3 -P -m uv --no-config tool run x"],
  ["uv run --with x -m y", "uv --no-config run --no-project --with x python -P -m y"],
  ["uv run --python python3 x", "uv --no-config run --no-project --python python3 x"],
  ["uvx python -m x", "uvx --no-config python -P -m x"],
  ["bun -e 1", `bun ${BUN} -e 1`],
  ["deno eval 1", "deno eval --no-config 1"],
  ["R -e 1", "R --no-restore -e 1"],
  ["dnx x --yes", "dnx x --yes"],
  ["timeout 9 docker run -i x npx y", "timeout 9 docker run -i x npx y"],
  ["ssh host npx -y x", "ssh host npx -y x"],
  ["npx -y files /data/R /data/python /data/go", `npx -y files /data/R /data/python /data/go [in /]`],
  ["x --languages python npx", "x --languages python npx"],
  ["node -e require('fs')", "node -e require('fs')"],
  ["node -e require('./x')", "node -e require('./x')"],
  ["node -e import{a}from'node:fs'", "node -e import{a}from'node:fs'"],
  ["go run example.com/x@v1", "go run example.com/x@v1"],
])("a user's %s is started as %s", async (declared, started) => {
  expect(await lineOf(declared)).toBe(started);
});

test.each<[string[], string[] | string]>([
  [
    ["sh", "-c", 'X="a $(uvx x) b" python3 -m y'],
    ["sh", "-c", 'X="a $(uvx --no-config x) b" python3 -P -m y'],
  ],
  [
    ["sh", "-c", "cd / && cd - && python3 -m x"],
    ["sh", "-c", "cd / && cd - && python3 -P -m x"],
  ],
  [
    ["sh", "-c", "--", "echo x | python3"],
    ["sh", "-c", "--", "echo x | python3 -P"],
  ],
  [
    ["sh", "-c", "python3 \\\n  -m x"],
    ["sh", "-c", "python3 -P -m x"],
  ],
  [
    ["sh", "-c", "exec pyt\\\nhon3 -u \\\n-m x 2>&1"],
    ["sh", "-c", "exec pyt\\\nhon3 -P -u -m x 2>&1"],
  ],
  [
    ["sh", "-c", "python3</dev/null -m x"],
    ["sh", "-c", "python3 -P -m x </dev/null"],
  ],
  [
    ["sh", "-c", "2>&1 python3 >> 'a log' -m x | tee log; uvx 2>/dev/null y"],
    ["sh", "-c", "python3 -P -m x 2>&1 >> 'a log' | tee log; uvx --no-config y 2>/dev/null"],
  ],
  [
    ["sh", "-c", "echo '<' \"a > b\" | python3 -m x <<< 'y z'  "],
    ["sh", "-c", "echo '<' \"a > b\" | python3 -P -m x <<< 'y z'  "],
  ],
  [
    ["sh", "-c", "eval 'python3 -m x'"],
    ["sh", "-c", "eval 'python3 -P -m x'"],
  ],
  [
    ["sh", "-c", "npx -y x"],
    ["sh", "-c", "npx -y x", "in /"],
  ],
  [
    ["/bin/bash", "-lc", "exec npx -y x"],
    ["/bin/bash", "-lc", "exec npx -y x", "in /"],
  ],
  [
    ["bash", "-c", ". ~/.nvm/nvm.sh && npx -y 'a b' \"$X\""],
    ["bash", "-c", `. ~/.nvm/nvm.sh && npx --prefix=/ -y 'a b' "$X"`],
  ],
  [
    ["sh", "-c", "A=1 python3 -m x;uvx y"],
    ["sh", "-c", "A=1 python3 -P -m x;uvx --no-config y"],
  ],
  [
    ["sh", "-c", "cd /abs && python3 -m x"],
    ["sh", "-c", "cd /abs && python3 -m x"],
  ],
  [
    ["sh", "-c", "cd ~/x && npx y"],
    ["sh", "-c", "cd ~/x && npx y"],
  ],
  [
    ["sh", "-c", "cd sub && python3 -m x"],
    ["sh", "-c", "cd sub && python3 -P -m x"],
  ],
  [
    ["env", "-S", "python3 -m x"],
    ["env", "-S", "python3 -P -m x"],
  ],
  [
    ["env", "-Spython3 -m x"],
    ["env", "-Spython3 -P -m x"],
  ],
  [
    ["env", "--split-string=python3 -m x"],
    ["env", "--split-string=python3 -P -m x"],
  ],
  [
    ["script", "-qc", "npx -y x", "/dev/null"],
    ["script", "-qc", `npx --prefix=/ -y x`, "/dev/null"],
  ],
  [
    ["npx", "-y", "supergateway", "--stdio", "uvx y"],
    ["npx", "-y", "supergateway", "--stdio", "uvx --no-config y", "in /"],
  ],
  [
    ["python3", "-c", "import npx -m x"],
    ["python3", "-P", "-c", "import npx -m x"],
  ],
  [
    ["x", "--prompt", "use npx -y x"],
    ["x", "--prompt", "use npx -y x"],
  ],
])("a user's command line %j is prepared as %j", async (line, expected) => {
  const { launch } = await prepare(line);
  const folder = launch.cwd === undefined ? [] : [`in ${launch.cwd}`];
  expect([launch.command, ...launch.args, ...folder]).toEqual(expected);
});

test("a command line that cmd.exe gets as one word is also prepared", async () => {
  const given = { platform: "win32" };
  const { launch } = await prepare(["cmd.exe", "/c", "npx -y x"], given);
  expect([launch.args, launch.cwd]).toEqual([["/c", "npx -y x"], "C:\\Users\\me\\cache\\runners"]);
  const { launch: second } = await prepare(
    ["pwsh", "-NoProfile", "-Command", "py -3 -m x; C:\\uvx.exe y"],
    given,
  );
  expect(second.args.at(-1)).toBe("py -3 -P -m x; C:\\uvx.exe --no-config y");
});

test("variables disable settings of the working folder", async () => {
  const envOf = async (line: string, given: Given = {}): Promise<Record<string, string>> => {
    const { env } = (await prepare(line.split(" "), given)).launch;
    return Object.fromEntries([...env].map(([name, value]) => [name, value.reveal()]));
  };
  const tsx = { TSX_TSCONFIG_PATH: `${RUNNERS}/tsconfig.json` };
  expect(await envOf("tsx /abs/x.ts")).toEqual(tsx);
  expect(await envOf("npx -y tsx@4 watch /abs/x.ts")).toMatchObject(tsx);
  expect(await envOf("node --import /abs/tsx/loader.mjs /abs/x.ts")).toEqual(tsx);
  expect(await envOf("tsx ./x.ts")).toEqual({});
  expect(await envOf("tsx --tsconfig /abs/t.json /abs/x.ts")).toEqual({});
  const r = { R_PROFILE_USER: "/home/me/.Rprofile", R_ENVIRON_USER: "/home/me/.Renviron" };
  expect(await envOf("Rscript -e 1")).toEqual(r);
  expect(await envOf("x", { platform: "win32" })).toEqual({ NoDefaultCurrentDirectoryInExePath: "1" });
  expect(await envOf("x", { platform: "win32", source: { ...OUTSIDE, declaresFolder: true } })).toEqual({});
});

test("an npx that another npx starts gets the shell without the working folder's programs", async () => {
  const { env } = (await prepare(["npx", "-y", "proxy", "--", "npx", "-y", "x"])).launch;
  expect([...env.keys()].toSorted()).toEqual([
    "PLUGBOARD_KEEP_SHELL",
    "PLUGBOARD_SERVER_FOLDER",
    "npm_config_script_shell",
  ]);
});

test.each([
  ["node ./x.mjs --config ./c .", "node /repo/x.mjs --config ./c ."],
  ["node .", "node /repo"],
  ["node --import=./a.mjs x.mjs", "node --import=/repo/a.mjs /repo/x.mjs"],
  ["node -r hook x.mjs", "node -r hook x.mjs [in /repo]"],
  ["python3 x.py", "python3 /repo/x.py"],
  ["python3 -m x", "python3 -P -m x"],
  // PHP and Lua look for included files in the folder they are started in.
  ["php artisan mcp", "php artisan mcp [in /repo]"],
  ["lua x.lua", "lua x.lua [in /repo]"],
  ["java -jar x.jar", "java -jar /repo/x.jar"],
  ["npx x .", "npx x . [in /repo]"],
  ["pnpm dlx x", "pnpm --dir=/repo dlx x"],
  ["uvx x", "uvx --project=/repo x"],
  ["uvx --from . x", "uvx --from . x [in /repo]"],
  ["uvx --from=./x y", "uvx --from=./x y [in /repo]"],
  ["uvx y /abs https://x.test", "uvx --project=/repo y /abs https://x.test"],
  ["uv run x", "uv run x [in /repo]"],
  ["uv run server.py", "uv run server.py [in /repo]"],
  ["uv --directory sub run x", "uv --directory sub run x [in /repo]"],
  ["pipx run x", "pipx run x [in /repo]"],
  ["npx -y @acme/x@1.2 --debug /abs", "npx -y @acme/x@1.2 --debug /abs [in /repo]"],
  ["npx tsx ./server.ts", "npx tsx ./server.ts [in /repo]"],
  ["env -u X npx x", "env -u X npx x [in /repo]"],
  ["env -u X x", "env -u X x [in /repo]"],
  ["x", "x [in /repo]"],
  ["/opt/x", "/opt/x [in /repo]"],
  ["swift run x", "swift run x [in /repo]"],
  ["julia ./x.jl", "julia ./x.jl [in /repo]"],
  ["nice node ./x.mjs", "nice node ./x.mjs [in /repo]"],
  ["node --disable-warning X ./x.cjs", "node --disable-warning X /repo/x.cjs"],
  ["node --some-option X ./x.cjs", "node --some-option X ./x.cjs [in /repo]"],
  [
    "node --experimental-default-config-file x.mjs",
    "node --experimental-default-config-file x.mjs [in /repo]",
  ],
  ["node --no-warnings --enable-source-maps x.mjs", "node --no-warnings --enable-source-maps /repo/x.mjs"],
  ["node /abs/x.mjs", "node /abs/x.mjs"],
  ["python3 -uB x.py", "python3 -uB /repo/x.py"],
  ["python3 -X utf8 -Xdev x.py", "python3 -X utf8 -Xdev /repo/x.py"],
  ["python3 -W error x.py", "python3 -W error /repo/x.py"],
  ["python3 -X pycache_prefix=.cache x.py", "python3 -X pycache_prefix=.cache x.py [in /repo]"],
  ["python3 -Xpycache_prefix=.cache x.py", "python3 -Xpycache_prefix=.cache x.py [in /repo]"],
  ["python3 -uX pycache_prefix=.cache x.py", "python3 -uX pycache_prefix=.cache x.py [in /repo]"],
  ["python3 -X presite=hook x.py", "python3 -X presite=hook x.py [in /repo]"],
  ["python3 -X unheard-of x.py", "python3 -X unheard-of x.py [in /repo]"],
  ["python3 -m pipx run x", "python3 -m pipx run x [in /repo]"],
  ["python3 -c import", "python3 -c import [in /repo]"],
  ["ruby -I lib x.rb", "ruby -I lib x.rb [in /repo]"],
  ["java -cp x.jar Main", "java -cp x.jar Main [in /repo]"],
  ["Rscript x.R", "Rscript x.R [in /repo]"],
  ["npm run mcp", "npm run mcp [in /repo]"],
  ["make mcp", "make mcp [in /repo]"],
  ["bun run dev", "bun run dev [in /repo]"],
  ["bun ./x.ts", "bun ./x.ts [in /repo]"],
  ["tsx x.ts", "tsx x.ts [in /repo]"],
  ["sh -c ./x", "sh -c ./x [in /repo]"],
  ["sh ./x.sh", "sh ./x.sh [in /repo]"],
  ["node -e import('./x')", "node -e import('./x') [in /repo]"],
  ["deno run npm:x", "deno run npm:x [in /repo]"],
  ["docker run -v .:/x x", "docker run -v .:/x x [in /repo]"],
])("a project's %s in a folder below it is started as %s", async (declared, started) => {
  expect(await lineOf(declared, { source: PROJECT })).toBe(started);
});

test("a project's package runner that starts in the project's folder is still a package runner", async () => {
  for (const line of [
    ["npx", "tsx", "./x.ts"],
    ["uv", "run", "x.py"],
  ]) {
    const { runner, resolvesIn, launch } = await prepare(line, { source: PROJECT });
    expect([runner, resolvesIn, launch.env.size]).toEqual([line[0], "/repo", 0]);
  }
});

test("package runners get the folder to start the server in from the environment", async () => {
  const envOf = async (line: string[], given?: Given): Promise<Record<string, string>> => {
    const { env } = (await prepare(line, given)).launch;
    return Object.fromEntries([...env].map(([name, value]) => [name, value.reveal()]));
  };
  expect(await envOf(["npx", "x"])).toEqual({
    PLUGBOARD_SERVER_FOLDER: "/repo/sub",
    npm_config_script_shell: `${RUNNERS}/enter-folder.sh`,
  });
  const variables = { NODE_OPTIONS: "--no-warnings", npm_execpath: "/npm", npm_lifecycle_event: "start" };
  expect(await envOf(["yarn", "dlx", "x"], { variables })).toEqual({
    PLUGBOARD_SERVER_FOLDER: "/repo/sub",
    NODE_OPTIONS: `--no-warnings --require "${RUNNERS}/enter-folder.cjs"`,
    npm_execpath: "",
    npm_lifecycle_event: "",
    COREPACK_ENABLE_PROJECT_SPEC: "0",
    COREPACK_ENV_FILE: "0",
  });
  expect(await envOf(["npx.cmd", "x"], { platform: "win32" })).toEqual({
    PLUGBOARD_SERVER_FOLDER: "C:\\repo\\sub",
    NODE_OPTIONS: '--require "C:\\\\Users\\\\me\\\\cache\\\\runners\\\\enter-folder.cjs"',
    NoDefaultCurrentDirectoryInExePath: "1",
  });
  expect(await envOf(["python3", "-m", "x"], { source: PROJECT })).toEqual({ PYTHONPATH: "/repo" });
});

test("package runners are found under the names that Windows gives them", async () => {
  const { launch, runner } = await prepare(["cmd.exe", "/d", "/c", "NPX.CMD", "-y", "x"], {
    platform: "win32",
  });
  expect([launch.cwd, runner]).toEqual(["C:\\Users\\me\\cache\\runners", "NPX.CMD"]);
  const found = await prepare(["C:\\Python\\python.exe", "-m", "x"], { platform: "win32" });
  expect(found.launch.args).toEqual(["-P", "-m", "x"]);
});

test.each([
  ["node -r hook /abs/x.mjs", []],
  ["bun --preload hook /abs/x.ts", []],
  ["node --env-file=.env /abs/x.mjs", []],
  ["Node --env-file ./.env /abs/x.mjs", []],
  ["uv run --with x y", ["/repo/.venv/bin/python"]],
  ["uv run --with mcp mcp run /abs/s.py", ["/repo/sub/mcp/__main__.py"]],
  ["node --disable-warning X --import tsx /abs/x.mjs", []],
  ["pipx run x", ["/repo/sub/__pypackages__/x"]],
  ["node --unheard-of X --import tsx /abs/x.mjs", []],
  ["node --experimental-default-config-file /abs/x.mjs", []],
  ["nice node -r hook /abs/x.mjs", []],
  ["node -e require('hook')", []],
  ["node --eval=import('hook')", []],
  ["node -pe require('hook')", []],
  ["node -e require(process.argv[1]) hook", []],
  ["node -e import(/**/'hook')", []],
  ["node -e require('module').createRequire('/repo/')('hook')", []],
  ["node --input-type=module -e import'hook'", []],
  ["env NODE_OPTIONS=--require=hook node /abs/x.mjs", []],
  ["dnx x", ["/repo/nuget.config"]],
  ["dotnet tool exec x", ["/repo/sub/.config/dotnet-tools.json"]],
  ["cargo run --manifest-path /abs/Cargo.toml", ["/repo/.cargo/config.toml"]],
  ["cargo +nightly run --manifest-path=/abs/Cargo.toml", ["/repo/sub/rust-toolchain.toml"]],
  ["dotnet run --project /abs", ["/repo/global.json"]],
  ["timeout 60 yarn --cwd /abs start", ["/repo/.yarnrc.yml"]],
  ["timeout 60 yarn --cwd=/abs start", ["/repo/sub/.yarnrc"]],
])("a user's %s is refused if the working folder's code would run", async (line, files) => {
  const error: unknown = await lineOf(line, { files }).catch((reason: unknown) => reason);
  expect(isHostError(error) && [error.code, error.hint]).toEqual([
    "CONNECT_FAILED",
    expect.stringContaining('Set "cwd" in its entry'),
  ]);
});

test("a project's variable that holds no relative path keeps the working folder", async () => {
  const launch = {
    transport: "stdio",
    command: "node",
    args: ["/x"],
    cwd: undefined,
    inheritEnv: false,
  } as const;
  const startedIn = async (
    variables: Record<string, string>,
    platform = "linux",
  ): Promise<string | undefined> => {
    const environment = { platform, home: "/home/me", cwd: "/repo/sub", variables: {} };
    const env = new Map(Object.entries(variables).map(([name, value]) => [name, new Secret(value)]));
    const deps = { environment, files: createMemoryFiles(), cache: "/cache" };
    return (await prepareProgram({ ...launch, env }, PROJECT, deps)).launch.cwd;
  };
  const kept = {
    PERL5LIB: "/opt/lib:/usr/lib/perl",
    LD_PRELOAD: "/x.so /y.so",
    UV_INDEX_URL: "https://pypi.test/simple",
    LOG_LEVEL: "debug",
    REPOSITORY: "owner/name",
    PYTHONUNBUFFERED: "1",
  };
  expect(await startedIn(kept)).toBeUndefined();
  expect(await startedIn({ JAVA_HOME: "C:\\java" }, "win32")).toBeUndefined();
  expect(await startedIn({ CLASSPATH: "C:\\java;lib" }, "win32")).toBe("/repo");
});

test("a command line is not changed if the entry declares its folder", async () => {
  const source = { ...OUTSIDE, declaresFolder: true };
  expect(await lineOf("python3 -m x", { source })).toBe("python3 -m x");
  expect(await lineOf("node -r hook x.mjs", { source })).toBe("node -r hook x.mjs");
});

test.each([
  ["NODE_OPTIONS", "--require hook"],
  ["PATH", "tools:/usr/bin"],
  ["PYTHONPATH", "src"],
  ["HOOK", "./x"],
  ["PERL5LIB", "lib"],
  ["RUBYLIB", "/x:lib"],
  ["PYTHONUSERBASE", "pyuser"],
  ["PYTHONPYCACHEPREFIX", ".cache"],
  ["PYTHONHOME", "~/python"],
  ["LD_PRELOAD", "/x.so lib/x.so"],
  ["LD_LIBRARY_PATH", "/x:"],
  ["NODE_COMPILE_CACHE", "cache"],
  ["NODE_V8_COVERAGE_DIR", "coverage"],
  ["DOTNET_GCPath", "lib/gc.so"],
  ["OPENSSL_CONF", "ssl.cnf"],
  ["TMPDIR", "tmp"],
  ["XDG_DATA_DIRS", "share"],
  ["uv_index_url", "packages"],
])("a project's server starts in the project's folder if its variable %s is %s", async (name, value) => {
  const started = async (variable: string): Promise<string | undefined> => {
    const launch = {
      transport: "stdio",
      command: "node",
      args: ["/x"],
      cwd: undefined,
      inheritEnv: false,
    } as const;
    const environment = { platform: "linux", home: "/home/me", cwd: "/repo/sub", variables: {} };
    const env = new Map([[name, new Secret(variable)]]);
    const deps = { environment, files: createMemoryFiles(), cache: "/cache" };
    return (await prepareProgram({ ...launch, env }, PROJECT, deps)).launch.cwd;
  };
  expect([await started(value), await started(name === "NODE_OPTIONS" ? "" : "/x")]).toEqual([
    "/repo",
    undefined,
  ]);
});
