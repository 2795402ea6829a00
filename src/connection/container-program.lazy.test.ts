import { expect, test } from "vitest";
import { containedProgram } from "./container-program.lazy.ts";

const plan = {
  network: "none",
  hosts: [],
  env: [],
  data: "/state/data",
  read: [],
  project: ["/project"],
  pinned: [],
  protected: [],
  write: [],
  records: false,
  home: "/home/me",
  homeLinks: [],
  image: "node:22",
} as const;
const asked = { command: "node", args: ["a.js"], cwd: "/project" };
const host = {
  variables: { PATH: "/usr/bin", DOCKER_HOST: "unix:///run/d.sock", SECRET: "1", LD_PRELOAD: "/x.so" },
};
const engine = { engine: "/usr/bin/docker", name: "n", user: undefined };
const variables = { LD_PRELOAD: "/project/evil.so", TOKEN: "a=b # c" };

test("the engine gets its own variables only, and the server's through a pipe", () => {
  const { command, args, env, inputs = [] } = containedProgram({ asked, plan, variables }, host, engine);
  expect(command).toBe("/bin/sh");
  expect(env).toEqual({ PATH: "/usr/bin", DOCKER_HOST: "unix:///run/d.sock" });
  expect(args.join(" ")).not.toMatch(/evil|TOKEN|a=b/);
  expect(new TextDecoder().decode(inputs[0])).toBe(
    "LD_PRELOAD=/project/evil.so\nTOKEN=a=b # c\nHOME=/state/data\nTMPDIR=/tmp\n",
  );
});

test.each([
  [
    "a value with several lines",
    { plan, variables: { A: "1\nLD_PRELOAD=/x.so" } },
    /variable A cannot be passed/,
  ],
  ["a name with a space", { plan, variables: { "A B": "1" } }, /variable A B cannot be passed/],
  [
    "a path with a comma",
    { plan: { ...plan, write: ["/a,readonly"] }, variables },
    /cannot use \/a,readonly/,
  ],
])("%s is refused", (_, given, problem) => {
  expect(() => containedProgram({ asked, ...given }, host, engine)).toThrow(problem);
});
