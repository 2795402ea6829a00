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
])("%s changes which code runs", (name) => {
  expect(steersPrograms(name)).toBe(true);
});

test.each(["API_KEY", "PATHS", "MY_PATH", "NODE_ENV", "GIT_AUTHOR_NAME", "PYTHONUNBUFFERED"])(
  "%s does not change which code runs",
  (name) => {
    expect(steersPrograms(name)).toBe(false);
  },
);
