import { expect, test } from "vitest";
import { anchorOf } from "../markdown.ts";
import { type Declaration, findDeclaration } from "./declarations.ts";
import { table } from "./tables.ts";

interface Event {
  readonly type: string;
  readonly about: string;
  readonly fields: readonly (readonly [name: string, type: string])[];
}

const DOOR = "index.d.ts";

/** `npx vitest run test/docs/reference -u` writes the page anew, from the declarations. */
test("the reference of events says what the package declares", async () => {
  await expect(page()).toMatchFileSnapshot("../../../docs/reference/events.md");
});

test("every event says when it comes", () => {
  expect(events().filter(({ about }) => about === "")).toEqual([]);
});

function page(): string {
  const sections = events().flatMap(({ type, about, fields }) => [
    `## ${type}`,
    about,
    table(
      ["field", "type"],
      fields.map(([name, kind]) => [`\`${name}\``, linked(kind)]),
    ),
  ]);
  return `${[
    "# Reference of events",
    "What `host.subscribe(listener)` tells of, made from the package's own declarations. State itself is pulled, with `host.snapshot()`; observing starts no server.",
    table(
      ["event", "when"],
      events().map(({ type, about }) => [`[\`${type}\`](#${anchorOf(type)})`, about]),
    ),
    ...sections,
  ].join("\n\n")}\n`;
}

/** The members of the union, each with the comment above it. */
function events(): Event[] {
  const { text } = declared("HostEvent");
  const members = [...text.matchAll(/(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*)?\|?\s*\{([^}]*)\}/g)];
  return members.map(([, about = "", body = ""]) => {
    const fields = [...body.matchAll(/readonly (\w+\??): ([^;]+);/g)].map(
      ([, name = "", kind = ""]) => [name, kind] as const,
    );
    const [, type = ""] = fields.find(([name]) => name === "type") ?? [];
    return {
      type: type.replaceAll('"', ""),
      about: about.trim(),
      fields: fields.filter(([name]) => name !== "type"),
    };
  });
}

function declared(name: string): Declaration {
  const found = findDeclaration(DOOR, name);
  if (found === undefined) throw new Error(`${DOOR} has no ${name}.`);
  return found;
}

function linked(kind: string): string {
  return findDeclaration(DOOR, kind) === undefined
    ? `\`${kind}\``
    : `[\`${kind}\`](api.md#${anchorOf(kind)})`;
}
