import { writeFile } from "node:fs/promises";
import { HostError, messageOf, type ResourceContent } from "../../../index.ts";
import { safeLine, safeText } from "../../../terminal.ts";
import type { CommandContext, ExitCode } from "../command.ts";
import { describeSize } from "../render/describe-size.ts";
import { renderImages } from "../render/inline-images.lazy.ts";

/** Runs `plugboard read`. */
export async function readResource(context: CommandContext): Promise<ExitCode> {
  const [server = "", uri = ""] = context.words;
  const { flags, json, printJson, terminal, signal } = context;
  const host = await context.openHost({ daemon: "auto", demo: server === "demo" });
  const result = await host.resources.read(server, uri, { signal });
  const { output } = flags;
  if (typeof output === "string") {
    const bytes = Buffer.concat(joined(result.contents).map((piece) => Buffer.from(piece)));
    await write(output, bytes);
    if (json) printJson({ file: output, bytes: bytes.length });
    else terminal.err(`${describeSize(bytes.length)} written to ${safeLine(output)}\n`);
  } else if (json) printJson(result);
  else if (result.contents.length === 0) terminal.err("The resource is empty.\n");
  else print(context, result.contents);
  return 0;
}

/** On a terminal, escapes control characters and refuses binary data. A pipe gets the exact contents. */
function print({ terminal }: CommandContext, contents: readonly ResourceContent[]): void {
  const bytes = contents.find(({ blob }) => blob !== undefined);
  const parts = contents.map((content) => ({ type: "resource", ...content }) as const);
  const images = terminal.outIsTty && bytes !== undefined ? renderImages(parts, process.env) : "";
  if (images !== "") return terminal.out(images);
  if (terminal.outIsTty && bytes !== undefined) {
    const size = describeSize(Buffer.from(bytes.blob ?? "", "base64").length);
    const facts = [bytes.mimeType, size].filter(Boolean).join(", ");
    throw new HostError(
      "USAGE_INVALID",
      `"${bytes.uri}" is binary (${facts}) and cannot be shown on a terminal.`,
      {
        hint: "Use --output <file>, or pipe the output into a program.",
      },
    );
  }
  for (const piece of joined(contents))
    terminal.out(terminal.outIsTty && typeof piece === "string" ? safeText(piece) : piece);
}

/** Returns the contents in order. Text ends with a line break. */
function joined(contents: readonly ResourceContent[]): (string | Uint8Array)[] {
  return contents.map(({ text, blob = "" }) => {
    if (text === undefined) return Buffer.from(blob, "base64");
    return text.endsWith("\n") ? text : `${text}\n`;
  });
}

async function write(file: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(file, bytes);
  } catch (error) {
    throw new HostError("USAGE_INVALID", `Cannot write ${file}: ${messageOf(error)}`, { cause: error });
  }
}
