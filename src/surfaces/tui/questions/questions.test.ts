import { describe, expect, test } from "vitest";
import { AWAY, createScriptedScreen, ESC, inOrder } from "../../../../test/support/scripted-screen.ts";
import type { SignInPrompt } from "../../../index.ts";
import { createStyle } from "../../shared/render/style.ts";
import { askDenial } from "./ask-denial.ts";
import { askForm } from "./ask-form.ts";
import { askPage } from "./ask-page.ts";
import { askSampling } from "./ask-sampling.ts";
import { askSignIn } from "./ask-sign-in.ts";

const HOSTILE = `Nice \u001b]0;title\u0007\u202e text\n✓ Approved. ${"x".repeat(10_000)}`;
const never = new AbortController().signal;

describe("text from a server", () => {
  test("is escaped, truncated and quoted in a form", async () => {
    const screen = createScriptedScreen(inOrder("on", "a", ESC));
    const field = { name: "n", kind: "text", title: HOSTILE, description: HOSTILE, required: true } as const;
    const fields = [field, { ...field, kind: "choice", options: [{ value: "v", title: HOSTILE }] } as const];
    const request = { mode: "form", server: "mine", message: HOSTILE, fields } as const;
    expect(await askForm(screen, request, never)).toEqual({ action: "cancel" });
    const everything = JSON.stringify([screen.printed(), screen.asked]);
    // oxlint-disable-next-line no-control-regex
    expect(everything).not.toMatch(/[\u0007\u001b\u202e]|\\u001b|\\u0007/);
    expect(screen.printed()).toContain("\n  │ ✓ Approved.");
    expect(screen.printed()).toMatch(/\(\d+ more characters\)$/);
    expect(screen.printed().length).toBeLessThan(5_000);
    for (const { title } of screen.asked) expect(title.length).toBeLessThan(400);
  });

  test.each([
    ["https://example.com/a?b=example.com", "https://[example.com]/a?b=example.com", "example.com"],
    ["https://bank.com@evil.org/bank.com", "https://bank.com@[evil.org]/bank.com", "evil.org"],
    ["https://bank.com:8443/x", "https://[bank.com]:8443/x", "bank.com"],
    ["https://bаnk.com/", "https://[xn--bnk-6cd.com]/", "xn--bnk-6cd.com"],
    ["http://[::1]:80/x", "http://[[::1]]/x", "[::1]"],
  ])("shows the page %s with its domain marked", async (url, shown, domain) => {
    const plain = createStyle(false);
    const style = {
      ...plain,
      bold: (text: string) => text,
      warn: (text: string) => (text === "?" ? text : `[${text}]`),
    };
    const screen = { ...createScriptedScreen(inOrder("decline")), style };
    await askPage(
      screen,
      { doctor: { openPage: async () => true } },
      { mode: "url", server: "mine", message: "m", url },
      never,
    );
    expect(screen.printed()).toBe(`? mine asks you to open a page\n  │ m\n  ${shown}`);
    expect(screen.asked[0]?.title).toBe(`Open a page on ${domain}?`);
  });

  test("asks again if no browser could be opened", async () => {
    const screen = createScriptedScreen(inOrder("open", "opened"));
    const request = { mode: "url", server: "mine", message: "m", url: "https://a.b/" } as const;
    expect(await askPage(screen, { doctor: { openPage: async () => false } }, request, never)).toEqual({
      action: "accept",
    });
    expect(screen.printed()).toContain("Could not open a browser. Open the URL yourself.");
  });

  test("can be shown in full before the model answers it", async () => {
    const screen = createScriptedScreen(inOrder("all", "no"));
    const messages = [
      { role: "user", content: [{ type: "text", text: `${"x".repeat(9_000)} the end` }] },
    ] as const;
    const request = { server: "mine", messages, maxTokens: 5 };
    expect(await askSampling(screen, request, async () => undefined, never)).toBeUndefined();
    expect(screen.printed()).toContain("the end");
  });

  test("is refused if the model fails, and the reason is shown", async () => {
    const screen = createScriptedScreen(inOrder("yes"));
    const complete = () => Promise.reject(new Error("out of\u001b[2J tokens"));
    await askSampling(screen, { server: "mine", messages: [], maxTokens: 5 }, complete, never);
    expect(screen.printed()).toContain(String.raw`✗ out of\x1b[2J tokens`);
  });
});

describe("something that a sandbox refused", () => {
  const request = {
    server: HOSTILE,
    denial: { kind: "read", target: `/home/me/.ssh/${HOSTILE}` },
    isSensitive: true,
    choice: { sandbox: { read: [HOSTILE] }, access: HOSTILE, hash: "0" },
  } as const;

  test.each([
    [true, true],
    [false, false],
    [ESC, false],
  ])("is allowed only by a clear answer (%j), and its text is escaped", async (answer, expected) => {
    const screen = createScriptedScreen(inOrder(answer));
    expect(await askDenial(screen, request)).toBe(expected);
    const everything = JSON.stringify([screen.printed(), screen.asked]);
    // oxlint-disable-next-line no-control-regex
    expect(everything).not.toMatch(/[\u0007\u001b\u202e]|\\u001b|\\u0007/);
    expect(screen.printed()).toContain("may contain credentials");
  });
});

describe("a sign-in with a device code", () => {
  const prompt = (signal: AbortSignal): SignInPrompt => ({
    server: "mine",
    url: "https://a.b/device",
    userCode: "ABCD-EFGH",
    opened: false,
    signal,
  });

  test("shows the code until the sign-in ends", async () => {
    const over = new AbortController();
    const screen = createScriptedScreen(inOrder(AWAY));
    const shown = askSignIn(screen, prompt(over.signal));
    over.abort();
    expect(await shown).toBeUndefined();
    expect(screen.printed()).toBe(
      '! "mine" requires sign-in. Open:\n  https://a.b/device\n  and enter the code ABCD-EFGH',
    );
  });

  test.each([[""], [ESC]])("can be cancelled", async (said) => {
    const screen = createScriptedScreen(inOrder(said));
    await expect(askSignIn(screen, prompt(never))).rejects.toThrow('The sign-in to "mine" was cancelled.');
  });
});
