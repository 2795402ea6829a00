import type { FilePart, ModelMessage, TextPart } from "ai";
import { type Host, HostError, type ResourceContent } from "../../../index.ts";
import { nearest } from "../../../terminal.ts";
import type { ProjectFiles } from "./project-files.ts";
import { toContent } from "./to-content.ts";

/** A mention `@<server>:<uri>` in a line. */
export interface Mention {
  readonly server: string;
  readonly uri: string;
}

const MOST_MENTIONS = 20;
const MOST_PIECES = 50;

/** Returns the mentions in a line, without duplicates. An unknown name counts as a server if a URI follows it. */
export function findMentions(line: string, servers: readonly string[]): Mention[] {
  const found = new Map<string, Mention>();
  for (const { index } of line.matchAll(/(?<=^|\s|[("'[])@(?=\S)/g)) {
    const rest = line.slice(index + 1);
    const server =
      servers.filter((name) => rest.startsWith(`${name}:`)).sort((a, b) => b.length - a.length)[0] ??
      /^([^\s:@]+):[a-z][a-z0-9+.-]*:\/\//i.exec(rest)?.[1];
    const uri = server === undefined ? "" : uriAt(rest.slice(server.length + 1));
    if (server !== undefined && uri !== "") found.set(`${server}:${uri}`, { server, uri });
  }
  return [...found.values()];
}

/** Returns the URI up to the next space, without trailing punctuation and brackets. */
function uriAt(text: string): string {
  return withoutPunctuation(/^\S*/.exec(text)?.[0] ?? "");
}

function withoutPunctuation(text: string): string {
  return text.replace(/[.,;:!?'")\]]+$/, "");
}

/** Returns the files that a line mentions. A word after `@` that is not a file is plain text. */
async function readFiles(line: string, files: ProjectFiles): Promise<(TextPart | FilePart)[]> {
  const words = new Set([...line.matchAll(/(?<=^|\s|[("'[])@(\S+)/g)].map(([, word = ""]) => word));
  const read = async (word: string): Promise<TextPart | FilePart | undefined> =>
    (await files.read(word)) ?? (await files.read(withoutPunctuation(word)));
  const parts = await Promise.all([...words].slice(0, MOST_MENTIONS).map(read));
  return parts.filter((part) => part !== undefined);
}

/** Returns the user's message with the mentioned resources and files after the text. Rejects if one of them cannot be read. */
export async function withMentions(
  host: Host,
  line: string,
  signal: AbortSignal,
  files?: ProjectFiles,
): Promise<ModelMessage> {
  const names = host.servers().map(({ name }) => name);
  const mentions = findMentions(line, names);
  const attached = files === undefined ? [] : await readFiles(line, files);
  if (mentions.length + attached.length === 0) return { role: "user", content: line };
  if (mentions.length > MOST_MENTIONS)
    throw new HostError("USAGE_INVALID", `A line can mention at most ${MOST_MENTIONS} resources.`);
  for (const { server } of mentions) if (!names.includes(server)) throw unknownServer(server, names);
  const read = await Promise.all(
    mentions.map(async ({ server, uri }) => {
      const { contents } = await host.resources.read(server, uri, { signal });
      if (contents.length === 0)
        throw new HostError("RESOURCE_UNKNOWN", `Resource "${uri}" of server "${server}" is empty.`, {
          server,
        });
      return contents.slice(0, MOST_PIECES).map((piece) => toPart(piece, server));
    }),
  );
  return { role: "user", content: [{ type: "text", text: line }, ...read.flat(), ...attached] };
}

function toPart(piece: ResourceContent, server: string): TextPart | FilePart {
  return toContent({ type: "resource", ...piece }, server);
}

function unknownServer(name: string, names: readonly string[]): HostError {
  const close = nearest(name, names);
  return new HostError("SERVER_UNKNOWN", `Unknown server "${name}".`, {
    server: name,
    hint: close === undefined ? undefined : `Did you mean "${close}"?`,
  });
}
