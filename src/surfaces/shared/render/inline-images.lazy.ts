import type { ContentPart } from "../../../index.ts";

type Protocol = "kitty" | "iterm";
type Environment = Readonly<Record<string, string | undefined>>;

const MOST_BYTES = 4 * 1024 * 1024;
const MOST_PIXELS = 50_000_000;
const MOST_IMAGES = 8;
/** The kitty protocol limits the length of one command. */
const CHUNK = 4_096;

/**
 * Returns control sequences that show the images of a result, for terminals that can. Only PNG images are shown: their size in pixels is
 * in their first bytes, and a terminal must not decode a huge one.
 */
export function renderImages(parts: readonly ContentPart[], env: Environment): string {
  const protocol = protocolOf(env);
  if (protocol === undefined) return "";
  return parts
    .flatMap((part) => {
      const base64 = part.type === "image" ? part.data : part.type === "resource" ? (part.blob ?? "") : "";
      const png = base64 === "" || base64.length > 2 * MOST_BYTES ? undefined : readPng(base64);
      return png === undefined ? [] : [protocol === "kitty" ? forKitty(png) : forITerm(png)];
    })
    .slice(0, MOST_IMAGES)
    .join("");
}

/** A terminal multiplexer does not pass images on. */
function protocolOf(env: Environment): Protocol | undefined {
  const { TERM = "", TERM_PROGRAM: program = "" } = env;
  if (env["TMUX"] || env["STY"] || /^(?:screen|tmux|dumb)/.test(TERM)) return undefined;
  if (env["KITTY_WINDOW_ID"] || /kitty|ghostty/.test(TERM) || program === "ghostty") return "kitty";
  return ["iTerm.app", "WezTerm"].includes(program) ? "iterm" : undefined;
}

/** Decodes a PNG image. The bytes are encoded again for the terminal, so the server's text never reaches it. */
function readPng(base64: string): Buffer | undefined {
  const bytes = Buffer.from(base64, "base64");
  const isPng = bytes.length >= 24 && bytes.subarray(0, 8).toString("latin1") === "\u0089PNG\r\n\u001a\n";
  if (!isPng || bytes.length > MOST_BYTES) return undefined;
  return bytes.readUInt32BE(16) * bytes.readUInt32BE(20) <= MOST_PIXELS ? bytes : undefined;
}

function forKitty(png: Buffer): string {
  const text = png.toString("base64");
  const chunks = text.match(new RegExp(`.{1,${CHUNK}}`, "g")) ?? [];
  const commands = chunks.map((chunk, index) => {
    const more = index < chunks.length - 1 ? 1 : 0;
    return `\u001b_G${index === 0 ? "a=T,f=100,q=2," : ""}m=${more};${chunk}\u001b\\`;
  });
  return `${commands.join("")}\n`;
}

function forITerm(png: Buffer): string {
  return `\u001b]1337;File=inline=1;size=${png.length}:${png.toString("base64")}\u0007\n`;
}
