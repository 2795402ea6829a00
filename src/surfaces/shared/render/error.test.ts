import { describe, expect, test } from "vitest";
import { HostError } from "../../../index.ts";
import { renderError, toErrorDocument } from "./error.ts";
import { createStyle } from "./style.ts";

const STYLE = createStyle(false);
const UNDISCOVERED = new HostError(
  "AUTH_REQUIRED",
  'Authentication required for "my notes", but OAuth endpoints could not be discovered. Use /mcp add my notes (wizard) or configure auth manually.',
  { server: "my notes" },
);

describe("advice names a command that the surface has", () => {
  test("for a sign-in that could not be discovered: the wizard in interactive mode", () => {
    const text = renderError(UNDISCOVERED, STYLE, { verb: "test", program: "/mcp" });
    expect(text).toContain("Use /mcp add my notes (wizard) or configure auth manually.");
  });

  test("for a sign-in that could not be discovered: plugboard add on the command line", () => {
    const running = { verb: "test", program: "plugboard" };
    const json = JSON.stringify(toErrorDocument(UNDISCOVERED, running));
    for (const text of [
      renderError(UNDISCOVERED, STYLE, running),
      JSON.parse(json).error.message as string,
    ]) {
      expect(text).toContain(
        'Authentication required for "my notes", but OAuth endpoints could not be discovered.',
      );
      expect(text).toContain("plugboard add 'my notes' --url <url> --token env:<NAME>");
      expect(text).not.toContain("/mcp");
    }
  });

  test.each(["plugboard", "/mcp"])("for a server that cannot sign in: not login, after %s", (program) => {
    for (const message of ['Server "files" does not sign in with OAuth.', 'Server "files" is a program.']) {
      const error = new HostError("AUTH_FAILED", message, { server: "files" });
      const text = renderError(error, STYLE, { verb: "reauth", program });
      expect(text).not.toContain("login");
      expect(text).toContain(`${program} explain files`);
    }
  });

  test("for credentials that a server without OAuth refuses: the header to set", () => {
    const message = 'Failed to connect to "web": https://x/mcp requires you to sign in (HTTP 401)';
    const error = new HostError("AUTH_REQUIRED", message, { server: "web" });
    expect(renderError(error, STYLE, { verb: "test", program: "plugboard" })).toContain(
      "→ plugboard set web 'headers.Authorization=Bearer ${TOKEN}'\n",
    );
    const signedOut = new HostError("AUTH_REQUIRED", 'You are not signed in to "web" as "me".', {
      server: "web",
    });
    expect(renderError(signedOut, STYLE, { verb: "logout", program: "plugboard" })).not.toContain("→");
  });

  test("for a sign-in that failed: login", () => {
    const error = new HostError("AUTH_FAILED", "OAuth authentication failed: denied", { server: "web" });
    expect(renderError(error, STYLE, { verb: "call", program: "plugboard" })).toContain(
      "plugboard login web",
    );
  });
});

test.each([
  ["read_file", "plugboard tools files read_file"],
  ["--yes", "plugboard tools files"],
  ["a'; rm $(x)", "plugboard tools files"],
])("invalid arguments lead to the page of the tool, if its name can be typed: %s", (tool, command) => {
  const error = new HostError("TOOL_ARGUMENTS_INVALID", `Invalid arguments for "${tool}": "a" is required.`, {
    server: "files",
  });
  const text = renderError(error, STYLE, { verb: "call", program: "plugboard" });
  expect(text).toMatch(new RegExp(`→ ${command}(?:\n| ')`));
});

test.each([
  ["a silent server", "Try increasing the timeout. The limit is 5 ms.", true],
  ["a server that printed why it failed", "Output on standard error:\nno disk\nThe limit is 5 ms.", false],
])("a longer timeout is suggested for %s: %s", (_, hint, isSuggested) => {
  const error = new HostError("CONNECT_TIMEOUT", "late", { server: "x", hint });
  const text = renderError(error, STYLE, { verb: "test", program: "plugboard" });
  expect(text.includes("→ plugboard test x --timeout <ms>")).toBe(isSuggested);
});
