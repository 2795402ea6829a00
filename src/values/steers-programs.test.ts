import { expect, test } from "vitest";
import { steersPrograms } from "./steers-programs.ts";

test.each([
  "LD_PRELOAD",
  "PATH",
  "Path",
  "node_options",
  "GIT_SSH_COMMAND",
  "PYTHONPATH",
  "PERL5OPT",
  "ComSpec",
  "HOME",
  "XDG_CONFIG_HOME",
  "PYTHONUSERBASE",
  "PYTHONINSPECT",
  "BUN_OPTIONS",
  "DENO_DIR",
  "TSX_TSCONFIG_PATH",
  "ZDOTDIR",
  "BUNDLE_GEMFILE",
  "R_PROFILE_USER",
  "R_LIBS",
  "JAVA_HOME",
  "SSH_ASKPASS",
  "GIT_DIR",
  "KUBECONFIG",
  "PUPPETEER_EXECUTABLE_PATH",
  "NODE_COMPILE_CACHE",
  "DOTNET_GCPath",
])("%s changes which code runs", (name) => {
  expect(steersPrograms(name)).toBe(true);
});

test.each([
  "API_KEY",
  "PATHS",
  "MY_PATH",
  "NODE_ENV",
  "GIT_AUTHOR_NAME",
  "PYTHONUNBUFFERED",
  "NPM_TOKEN",
  "GIT_TOKEN",
  "ENV",
  "HOMEPAGE",
  "R_KEY",
  "GOOGLE_API_KEY",
])("%s does not change which code runs", (name) => {
  expect(steersPrograms(name)).toBe(false);
});
