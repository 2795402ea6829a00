import * as oauth from "oauth4webapi";
import { describe, expect, test } from "vitest";
import { HostError, ToolAbortError } from "../model/index.ts";
import { endpointsNotFound, oauthErrorCode, signInRequired, toAuthError } from "./auth-error.lazy.ts";
import { Refusal } from "./refusal.ts";

function bodyError(error: string, description?: string): oauth.ResponseBodyError {
  const cause = { error, ...(description !== undefined && { error_description: description }) };
  const response = new Response(JSON.stringify(cause), { status: 400 });
  return new oauth.ResponseBodyError("server responded with an error", { cause, response });
}

function pageError(error: string, description?: string): oauth.AuthorizationResponseError {
  const cause = new URLSearchParams({
    error,
    ...(description !== undefined && { error_description: description }),
  });
  return new oauth.AuthorizationResponseError("authorization response is an error", { cause });
}

describe("a sign-in error", () => {
  test.each<[string, unknown, string]>([
    ["a refusal of ours", new Refusal("the page is not a URL"), "the page is not a URL"],
    ["an error of the token endpoint", bodyError("invalid_grant"), "invalid_grant"],
    ["its description", bodyError("invalid_grant", "too old"), "invalid_grant (too old)"],
    ["an error of the page", pageError("access_denied"), "access_denied"],
    ["an error of the page, described", pageError("access_denied", "no"), "access_denied (no)"],
    ["an empty description", pageError("access_denied", ""), "access_denied"],
    ["any other error", new Error("broken pipe"), "broken pipe"],
    ["a thrown text", "just text", "just text"],
    ["text with line breaks", new Refusal("one\ntwo\nthree"), "one two three"],
    ["an escape sequence", new Error("a\u001b[31mb"), "a\\x1b[31mb"],
    ["a text of 300 characters", new Refusal("x".repeat(300)), "x".repeat(300)],
  ])("is described: %s", (_, cause, described) => {
    const error = toAuthError("notes", cause);
    expect(error).toMatchObject({
      code: "AUTH_FAILED",
      message: `OAuth authentication failed: ${described}`,
      server: "notes",
    });
  });

  test("is truncated if it is long", () => {
    const { message } = toAuthError("notes", new Refusal("x".repeat(1_000)));
    expect(message.length).toBeLessThanOrEqual("OAuth authentication failed: ".length + 301);
    expect(message).toContain("x".repeat(250));
  });

  test.each<[string, Error]>([
    ["an error that the user can read", new HostError("AUTH_TIMEOUT", "late")],
    ["a call that was aborted", new ToolAbortError("stopped")],
  ])("stays as it is: %s", (_, error) => {
    expect(toAuthError("notes", error)).toBe(error);
  });

  test("keeps its cause without the response, which may contain tokens", () => {
    const thrown = bodyError("invalid_grant", "too old");
    const { cause } = toAuthError("notes", thrown) as { cause: Error };
    expect(cause).not.toBe(thrown);
    expect([cause.name, cause.message, cause.stack]).toEqual([thrown.name, thrown.message, thrown.stack]);
    expect(cause).not.toHaveProperty("response");
    expect(cause.cause).toBeUndefined();
  });

  test.each([
    ["a refusal", new Refusal("no")],
    ["a text", "text"],
  ])("keeps its whole cause: %s", (_, thrown) => {
    expect(toAuthError("notes", thrown).cause).toBe(thrown);
  });
});

test.each([
  [bodyError("invalid_client"), "invalid_client"],
  [pageError("access_denied"), "access_denied"],
  [new Error("invalid_client"), undefined],
  [undefined, undefined],
])("the code of a refusal: %s", (error, code) => {
  expect(oauthErrorCode(error)).toBe(code);
});

test("a required sign-in names the reason, the account and what to do", () => {
  const cause = new Error("gone");
  expect(signInRequired("notes", "it has ended", cause, "work")).toMatchObject({
    code: "INTERACTION_REQUIRED",
    message: '"notes" requires you to sign in: it has ended.',
    reason: "signIn",
    hint: "Sign in, then try again.",
    server: "notes",
    account: "work",
    cause,
  });
});

test("the advice names a server without sign-in endpoints", () => {
  expect(endpointsNotFound("notes")).toMatchObject({
    code: "AUTH_REQUIRED",
    message:
      'Authentication required for "notes", but OAuth endpoints could not be discovered. Use /mcp add notes (wizard) or configure auth manually.',
    server: "notes",
  });
});
