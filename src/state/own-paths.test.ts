import { expect, test } from "vitest";
import { findOwnPaths } from "./own-paths.ts";

const place = (
  platform: string,
  home: string | undefined,
  variables: Record<string, string>,
  cwd = "/repo",
) => findOwnPaths({ platform, home, cwd, variables });

test("on Linux, state and cache are in the XDG folders", () => {
  const variables = { XDG_STATE_HOME: "/xdg/state", XDG_CACHE_HOME: "/xdg/cache" };
  expect([place("linux", "/home/me", {}), place("linux", "/home/me", variables)]).toEqual([
    {
      userConfig: "/home/me/.plugboard/mcp.json",
      settings: "/home/me/.plugboard/settings.json",
      state: "/home/me/.local/state/plugboard",
      cache: "/home/me/.cache/plugboard",
    },
    {
      userConfig: "/home/me/.plugboard/mcp.json",
      settings: "/home/me/.plugboard/settings.json",
      state: "/xdg/state/plugboard",
      cache: "/xdg/cache/plugboard",
    },
  ]);
});

test.each(["state", "./state", "", "~/state"])(
  "the relative XDG folder %j is ignored, as XDG specifies",
  (folder) => {
    const variables = { XDG_STATE_HOME: folder, XDG_CACHE_HOME: folder };
    expect(place("linux", "/home/me", variables)).toEqual(place("linux", "/home/me", {}));
  },
);

test("on macOS, they are in the Library folder", () => {
  expect(place("darwin", "/Users/me", {})).toEqual({
    userConfig: "/Users/me/.plugboard/mcp.json",
    settings: "/Users/me/.plugboard/settings.json",
    state: "/Users/me/Library/Application Support/plugboard",
    cache: "/Users/me/Library/Caches/plugboard",
  });
});

test.each([
  ["the local application data", { LOCALAPPDATA: "D:\\Data" }, "D:\\Data"],
  ["the default folder without the variable", {}, "C:\\Users\\me\\AppData\\Local"],
])("on Windows, they are in %s", (_, variables, local) => {
  expect(place("win32", "C:\\Users\\me", variables, "C:\\work")).toEqual({
    userConfig: "C:\\Users\\me\\.plugboard\\mcp.json",
    settings: "C:\\Users\\me\\.plugboard\\settings.json",
    state: `${local}\\plugboard\\state`,
    cache: `${local}\\plugboard\\cache`,
  });
});

test.each([
  ["an absolute folder", "linux", "/elsewhere", "/elsewhere"],
  ["an absolute folder on macOS", "darwin", "/elsewhere", "/elsewhere"],
])("PLUGBOARD_HOME moves everything to %s", (_, platform, given, folder) => {
  const variables = { PLUGBOARD_HOME: given, XDG_STATE_HOME: "/xdg/state" };
  expect(place(platform, "/home/me", variables)).toEqual({
    userConfig: `${folder}/mcp.json`,
    settings: `${folder}/settings.json`,
    state: `${folder}/state`,
    cache: `${folder}/cache`,
  });
});

test("an empty PLUGBOARD_HOME moves nothing", () => {
  expect(place("linux", "/home/me", { PLUGBOARD_HOME: "" })).toEqual(place("linux", "/home/me", {}));
});

test.each([
  ["linux", "elsewhere"],
  ["linux", "./elsewhere"],
  ["linux", "."],
  ["linux", "~/elsewhere"],
  ["linux", "C:\\elsewhere"],
  ["win32", "elsewhere"],
  ["win32", "C:elsewhere"],
  ["win32", "\\elsewhere"],
])("a relative PLUGBOARD_HOME is rejected on %s: %s", (platform, given) => {
  expect(() => place(platform, "/home/me", { PLUGBOARD_HOME: given })).toThrow(
    expect.objectContaining({
      code: "USAGE_INVALID",
      message: `PLUGBOARD_HOME must be an absolute path, not "${given}".`,
    }),
  );
});

test.each([
  ["linux", /^\/dev\/null\//],
  ["darwin", /^\/dev\/null\//],
  ["win32", /^\\\\\.\\NUL\\/],
])("without a home folder, no place on %s can exist", (platform, impossible) => {
  const variables = { XDG_STATE_HOME: "/xdg", XDG_CACHE_HOME: "/xdg", LOCALAPPDATA: "D:\\Data" };
  for (const path of Object.values(place(platform, undefined, variables))) expect(path).toMatch(impossible);
});

test("without a home folder, PLUGBOARD_HOME still contains everything", () => {
  const variables = { PLUGBOARD_HOME: "/elsewhere" };
  expect(place("linux", undefined, variables)).toEqual(place("linux", "/home/me", variables));
});
