import type { Host } from "../../../index.ts";
import type { Completions } from "../line-handler.ts";
import type { ProjectFiles } from "./project-files.ts";
import { safeItems } from "./safe-items.ts";
import { mayBecome, splitTemplate, variableIn } from "./uri-template.ts";

const MOST_ITEMS = 50;

/** Completes an `@` mention: a file, or a server and then one of its resources or a value in one of its templates. */
export async function completeMention(
  { host, files }: { readonly host: Host; readonly files: ProjectFiles },
  line: string,
  cursor: number,
  signal: AbortSignal,
): Promise<Completions | undefined> {
  const typed = /(?:^|[\s("'[])@(\S*)$/.exec(line.slice(0, cursor))?.[1];
  if (typed === undefined) return undefined;
  const from = cursor - typed.length;
  const servers = host.servers().filter(({ state }) => state === "connected" || state === "idle");
  const found = servers.find(({ name }) => typed.startsWith(`${name}:`));
  if (found === undefined) {
    const names = servers.map(({ name }) => name).filter((name) => name.startsWith(typed));
    const paths = await files.complete(typed);
    return toCompletions(from, [
      ...names.map((name) => ({ text: `${name}:`, note: "server" })),
      ...paths.map((path) => ({ text: path })),
    ]);
  }
  const { name: server, state } = found;
  const uri = typed.slice(server.length + 1);
  const [resources, templates] = await Promise.all([
    host.resources.list(server, { connect: false }),
    host.resources.templates(server, { connect: false }),
  ]);
  const listed = resources
    .filter((resource) => resource.uri.startsWith(uri))
    .map((resource) => ({ text: `${server}:${resource.uri}`, note: resource.title ?? resource.name }));
  if (signal.aborted) return undefined;
  // Connecting to complete a template could open a browser for sign-in. Each template may take a request.
  const fitting =
    state !== "connected" ? [] : templates.filter(({ uriTemplate }) => mayBecome(uri, uriTemplate));
  const made = await Promise.all(
    fitting
      .slice(0, MOST_ITEMS)
      .map(({ uriTemplate, title, name }) =>
        completeTemplate(host, server, uriTemplate, uri).then((values) =>
          values.map((value) => ({ text: `${server}:${value}`, note: title ?? name })),
        ),
      ),
  );
  return toCompletions(from, [...listed, ...made.flat()]);
}

/** Returns the template with its next variable completed, or its literal start if that is not typed yet. */
async function completeTemplate(
  host: Host,
  server: string,
  template: string,
  typed: string,
): Promise<string[]> {
  const pieces = splitTemplate(template);
  const known: Record<string, string> = {};
  let done = "";
  for (const [index, piece] of pieces.entries()) {
    if (index % 2 === 0) {
      const rest = typed.slice(done.length);
      if (piece.startsWith(rest) && rest.length < piece.length) return [`${done}${piece}`];
      if (!rest.startsWith(piece)) return [];
      done += piece;
      continue;
    }
    const rest = typed.slice(done.length);
    const next = pieces[index + 1] ?? "";
    const end = next === "" ? -1 : rest.indexOf(next);
    const name = variableIn(piece);
    if (end === -1) {
      const { values } = await host.resources
        .complete(server, template, { name, value: decode(rest), known })
        .catch(() => ({ values: [] }));
      return values.map(
        (value) => `${done}${piece.startsWith("+") ? value : encodeURIComponent(value)}${next}`,
      );
    }
    known[name] = decode(rest.slice(0, end));
    done += rest.slice(0, end);
  }
  return [];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // an incomplete escape
  }
}

function toCompletions(from: number, items: Completions["items"]): Completions | undefined {
  const usable = safeItems(items.filter(({ text }) => !/\s/.test(text))).slice(0, MOST_ITEMS);
  return usable.length === 0 ? undefined : { from, items: usable };
}
