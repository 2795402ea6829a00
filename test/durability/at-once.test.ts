import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createSandbox } from "../support/sandbox.ts";
import { countOf, LONGEST_MS, report, tenthOf } from "./counts.ts";
import { startStateWriter, startWriter } from "./start-writer.ts";
import { openStateRows } from "./state-rows.ts";

const PROCESSES = 8;

test(
  "eight processes that add servers to one file at the same time lose none",
  async () => {
    await using sandbox = await createSandbox();
    const each = tenthOf(100);
    const file = join(sandbox.home, ".plugboard", "mcp.json");
    const writers = Array.from({ length: PROCESSES }, (_, index) => startWriter(sandbox, `w${index}`, each));
    await Promise.all(writers.map((writer) => writer.wrote(0)));
    for (const writer of writers) writer.start();
    const ends = await Promise.all(writers.map(({ ended }) => ended));

    const wanted = writers.flatMap((_, index) => Array.from({ length: each }, (__, at) => `w${index}-${at}`));
    const { mcpServers } = JSON.parse(await readFile(file, "utf8")) as { mcpServers: object };
    const found = Object.keys(mcpServers);
    report("servers added by eight processes at once: none lost", found.length, PROCESSES * each);
    expect({
      ends: ends.map(({ how }) => how),
      acknowledged: ends.flatMap(({ acknowledged }) => acknowledged).sort(),
      found: found.sort(),
      left: await readdir(dirname(file)),
    }).toEqual({
      ends: writers.map(() => 0),
      acknowledged: wanted.sort(),
      found: wanted,
      left: ["mcp.json"],
    });
  },
  LONGEST_MS,
);

test(
  "eight processes that store secrets, approvals and pins at the same time lose none",
  async () => {
    await using rows = await openStateRows();
    const each = countOf({ inScore: 34, inTests: 1 });
    const writers = Array.from({ length: PROCESSES }, (_, index) =>
      startStateWriter(rows.sandbox, `w${index}`, each, rows.url, index * each),
    );
    await Promise.all(writers.map((writer) => writer.wrote(0)));
    for (const writer of writers) writer.start();
    const ends = await Promise.all(writers.map(({ ended }) => ended));
    const kept = ends.flatMap(({ acknowledged }) => acknowledged);
    const faults = await rows.faults(kept);
    const line = "rows of state saved by eight processes at once: none lost";
    report(line, kept.length - faults.length, PROCESSES * each * 3);
    expect({ ends: ends.map(({ how }) => how), kept: kept.length, faults }).toEqual({
      ends: writers.map(() => 0),
      kept: PROCESSES * each * 3,
      faults: [],
    });
  },
  LONGEST_MS,
);
