import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { table } from "../docs/reference/tables.ts";
import { missingTests } from "../seeds/missing-tests.ts";
import { THREATS } from "./threats/index.ts";
import type { Threat } from "./threats/threat.ts";

const root = new URL("../../", import.meta.url);
const textOf = (path: string): string => readFileSync(fileURLToPath(new URL(path, root)), "utf8");
const threats = Object.values(THREATS).flat();

/** Attacks on gateways, which serve other clients over HTTP, and on archives, which Plugboard does not unpack. */
const NOT_A_HOSTS = "S12 S13 S19 S28 S29 S30 S32 S37 S39".split(" ");

test("every attack has a test that shows its defence", () => {
  const rows = threats.flatMap(({ id, shownBy }) =>
    shownBy.map(({ attack, file, test: title }) => ({
      id: `${id} ${attack}`,
      shownBy: { file, test: title },
    })),
  );
  expect(missingTests(rows, textOf)).toEqual([]);
  expect(threats.filter(({ shownBy }) => shownBy.length === 0)).toEqual([]);
});

test("no attack of the catalogue that concerns a host is missing", () => {
  const ids = threats.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
  const all = [...numbered("S", 40), ...numbered("A", 12)];
  expect(all.filter((id) => !ids.includes(id))).toEqual(NOT_A_HOSTS);
});

/** `npx vitest run test/hostile/defences.test.ts -u` regenerates the tables. */
test("SECURITY.md has every threat, its defence and its tests", async () => {
  const [before, rest = ""] = textOf("SECURITY.md").split("<!-- threats: begin -->\n");
  const [, after] = rest.split("<!-- threats: end -->\n");
  const page = `${before}<!-- threats: begin -->\n\n${tables()}\n\n<!-- threats: end -->\n${after}`;
  await expect(page).toMatchFileSnapshot("../../SECURITY.md");
});

function numbered(letter: string, most: number): string[] {
  return Array.from({ length: most }, (_, index) => `${letter}${index + 1}`);
}

function tables(): string {
  return Object.entries(THREATS)
    .flatMap(([title, rows]) => [`### ${title}`, table(["", "threat", "defence", "tests"], rows.map(row))])
    .join("\n\n");
}

function row({ id, threat, defence, shownBy }: Threat): string[] {
  const tests = shownBy.map(({ attack, file }) => `[${attack}](${file})`);
  return [id, threat, defence, tests.join(", ")];
}
