import { expect, test } from "vitest";
import { callbackPage } from "./callback-page.ts";

test("the page shows that the user is signed in, and what to do next", () => {
  const { status, body } = callbackPage(200);
  expect(status).toBe(200);
  expect(body).toMatch(/^<!doctype html><html lang="en">/);
  expect(body).toContain("<title>Plugboard: You are signed in</title>");
  expect(body).toContain('<div class="mark good" aria-hidden="true">✓</div><h1>You are signed in</h1>');
  expect(body).toContain("<p>You can close this window and go back to Plugboard.</p>");
});

test("the page shows why the user is not signed in", () => {
  const { status, body } = callbackPage(400, "The server said no.");
  expect(status).toBe(400);
  expect(body).toContain("<title>Plugboard: You are not signed in</title>");
  expect(body).toContain('<div class="mark bad" aria-hidden="true">✗</div><h1>You are not signed in</h1>');
  expect(body).toContain("<p>The server said no.</p>");
});

test("the page escapes text from servers", () => {
  const { body } = callbackPage(400, `<b>"Tom" & 'Jerry'</b>`);
  expect(body).toContain("<p>&#60;b&#62;&#34;Tom&#34; &#38; &#39;Jerry&#39;&#60;/b&#62;</p>");
});

test("the page colours its mark, and follows the light or dark colours of the user", () => {
  const { body } = callbackPage(200);
  for (const style of ["color-scheme:light dark", ".good{color:", ".bad{color:"])
    expect(body).toContain(style);
});

test("the page loads nothing, runs nothing and is stored nowhere", () => {
  expect(callbackPage(200).headers).toEqual({
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  });
});
