import { expect, test } from "vitest";
import { anchorOf } from "../markdown.ts";
import { type Declaration, findDeclaration } from "./declarations.ts";
import { table } from "./tables.ts";

interface Event {
  readonly type: string;
  readonly about: string;
  readonly fields: readonly (readonly [name: string, type: string])[];
  /** The type whose fields the event has, too. */
  readonly and?: string;
}

const MAIN_ENTRY = "index.d.ts";

/** `npx vitest run test/docs/reference -u` regenerates the page from the declarations. */
test("the event reference matches the package's declarations", async () => {
  await expect(page()).toMatchFileSnapshot("../../../docs/reference/events.md");
}, 120_000);

test("every event has a description", () => {
  expect(events().filter(({ about }) => about === "")).toEqual([]);
});

function page(): string {
  const sections = events().flatMap(({ type, about, fields, and }) => [
    `## ${type}`,
    about,
    table(
      ["field", "type"],
      fields.map(([name, kind]) => [`\`${name}\``, linked(kind)]),
    ),
    ...(and === undefined ? [] : [`It also has the fields of ${linked(and)}.`]),
  ]);
  return `${[
    "# Event reference",
    "The events that `host.subscribe(listener)` reports, generated from the package's declarations. Read the state itself with `host.snapshot()`. Subscribing starts no server. Every event about [a principal](../several-users.md) has that `principal`.",
    table(
      ["event", "when"],
      events().map(({ type, about }) => [`[\`${type}\`](#${anchorOf(type)})`, about]),
    ),
    ...sections,
  ].join("\n\n")}\n`;
}

/** Returns the members of the union with their comments. */
function events(): Event[] {
  const { text } = declared("PublishedEvent");
  const members = [
    ...text.matchAll(/(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*)?\|?\s*\(?\{([^}]*)\}(?: & (\w+)\))?/g),
  ];
  return members.map(([, about = "", body = "", and]) => {
    const fields = [...body.matchAll(/readonly (\w+\??): ([^;]+);/g)].map(
      ([, name = "", kind = ""]) => [name, kind] as const,
    );
    const [, type = ""] = fields.find(([name]) => name === "type") ?? [];
    return {
      type: type.replaceAll('"', ""),
      about: about.trim(),
      fields: fields.filter(([name]) => name !== "type"),
      ...(and !== undefined && { and }),
    };
  });
}

function declared(name: string): Declaration {
  const found = findDeclaration(MAIN_ENTRY, name);
  if (found === undefined) throw new Error(`${MAIN_ENTRY} has no ${name}.`);
  return found;
}

function linked(kind: string): string {
  return findDeclaration(MAIN_ENTRY, kind) === undefined
    ? `\`${kind}\``
    : `[\`${kind}\`](api.md#${anchorOf(kind)})`;
}
