/* oxlint-disable no-control-regex -- control characters are what this is about */
import { describe, expect, test } from "vitest";
import { renderImages } from "./inline-images.lazy.ts";

function png(width: number, height: number, bytes = 100): string {
  const image = Buffer.alloc(bytes);
  image.write("\u0089PNG\r\n\u001a\n", "latin1");
  image.writeUInt32BE(width, 16);
  image.writeUInt32BE(height, 20);
  return image.toString("base64");
}
const image = (data: string) => ({ type: "image", data, mimeType: "image/png" }) as const;
const KITTY = { TERM: "xterm-kitty" };

describe("images", () => {
  test.each([
    [KITTY, /^\u001b_Ga=T,f=100,q=2,m=0;[\w+/=]+\u001b\\\n$/],
    [{ TERM: "xterm-ghostty" }, /^\u001b_G/],
    [
      { TERM: "xterm-256color", TERM_PROGRAM: "iTerm.app" },
      /^\u001b\]1337;File=inline=1;size=100:[\w+/=]+\u0007\n$/,
    ],
    [{ TERM: "xterm-256color", TERM_PROGRAM: "WezTerm" }, /^\u001b\]1337;/],
    [{ TERM: "xterm-256color" }, /^$/],
    [{ ...KITTY, TMUX: "/tmp/tmux" }, /^$/],
    [{ TERM: "dumb", TERM_PROGRAM: "iTerm.app" }, /^$/],
  ])("are shown in %j", (env, shown) => {
    expect(renderImages([image(png(10, 10))], env)).toMatch(shown);
  });

  test("are sent in pieces that the protocol allows", () => {
    const sent = renderImages([image(png(10, 10, 10_000))], KITTY);
    const pieces = sent.trimEnd().split("\u001b\\").slice(0, -1);
    expect(pieces.length).toBe(4);
    expect(pieces.map((piece) => /m=(\d)/.exec(piece)?.[1])).toEqual(["1", "1", "1", "0"]);
  });

  test.each([
    ["another format", Buffer.from("GIF89a".padEnd(50)).toString("base64")],
    ["text with control sequences", "\u001b]0;title\u0007"],
    ["more pixels than a terminal should decode", png(100_000, 100_000)],
    ["more bytes than a terminal should get", png(10, 10, 5_000_000)],
  ])("are left out if they are %s", (_, data) => {
    expect(renderImages([image(data)], KITTY)).toBe("");
  });
});
