import { expect, test } from "vitest";
import type { ServerStateKind } from "../../../index.ts";
import { SHARED_COMMANDS } from "../commands/index.ts";
import { adviceFor, nextStep, STATE_TRAITS } from "./state.ts";

const SERVER_STATES = Object.keys(STATE_TRAITS) as ServerStateKind[];

test("every state that needs the user has an existing next command", () => {
  const commands = new Set(SHARED_COMMANDS.map(({ name }) => name));
  for (const state of SERVER_STATES) {
    const { isTrouble, needsPerson, nextStep: verb } = STATE_TRAITS[state];
    expect({ state, helps: verb !== undefined && commands.has(verb) }).toEqual({
      state,
      helps: isTrouble || needsPerson,
    });
  }
});

test("no state both needs the user and changes without user action", () => {
  expect(
    SERVER_STATES.filter((state) => STATE_TRAITS[state].needsPerson && STATE_TRAITS[state].isUnderWay),
  ).toEqual([]);
});

test("the next step quotes the server's name for a shell", () => {
  expect(nextStep({ name: "my server", state: "untrusted" }, "plugboard")).toBe(
    "plugboard trust 'my server'",
  );
  expect(nextStep({ name: "x", state: "connected" }, "plugboard")).toBeUndefined();
});

test("the next step for a server without OAuth sets a token instead of signing in", () => {
  const server = { name: "my web", state: "needs_auth" } as const;
  const because = 'Failed to connect to "my web": https://x/mcp requires you to sign in (HTTP 401)';
  expect(nextStep({ ...server, because }, "plugboard")).toBe(
    "plugboard set 'my web' 'headers.Authorization=Bearer ${TOKEN}'",
  );
  expect(nextStep({ ...server, because: '"my web" requires you to sign in: it ended.' }, "plugboard")).toBe(
    "plugboard login 'my web'",
  );
});

test.each([
  ["Run its command in a terminal to see why.", ""],
  ["Run its command in a terminal to see why. Set X.", "Set X."],
  ["It printed 2 lines.\nRun its command in a terminal to see why.", "It printed 2 lines."],
  ["Retry after 5 s.", "Retry after 5 s."],
  [undefined, ""],
])("advice omits what the next step says: %j becomes %j", (hint, advice) => {
  expect(adviceFor(hint === undefined ? {} : { hint })).toBe(advice);
});
