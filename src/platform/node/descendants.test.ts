import { describe, expect, test } from "vitest";
import { addDescendants, type Known } from "./descendants.ts";
import { type ProcessFacts, type ProcessTable, parsePs, procTable } from "./process-table.ts";

const HOST = 10;

/** Processes as `[pid, parent, start]`. */
function tableOf(...processes: readonly (readonly [number, number, string])[]): ProcessTable {
  const table = new Map<number, ProcessFacts>(
    processes.map(([pid, parent, start]) => [pid, { parent, start }]),
  );
  return {
    factsOf: (pid) => table.get(pid),
    childrenOf: (pid) => processes.map(([child, parent]) => (parent === pid ? [child] : [])),
  };
}

function scan(known: Known, table: ProcessTable, meanwhile: () => void = () => {}): void {
  for (const _ of addDescendants(known, table, HOST)) meanwhile();
}

function after(known: Known, table: ProcessTable): Record<string, string> {
  scan(known, table);
  return Object.fromEntries(known);
}

describe("the descendants of a server", () => {
  test("include the processes that its children started", () => {
    const table = tableOf([20, HOST, "a"], [30, 20, "b"], [40, 30, "c"], [50, 1, "d"], [60, HOST, "e"]);
    expect(after(new Map([[20, ""]]), table)).toEqual({ 20: "a", 30: "b", 40: "c" });
  });

  test("stay known after their parent has ended", () => {
    const known: Known = new Map([[20, ""]]);
    scan(known, tableOf([20, HOST, "a"], [30, 20, "b"]));
    expect(after(known, tableOf([30, 1, "b"], [40, 30, "c"]))).toEqual({ 30: "b", 40: "c" });
  });

  test("do not include the children of a process that reuses an id", () => {
    const known: Known = new Map([
      [20, "a"],
      [30, "b"],
    ]);
    expect(after(known, tableOf([20, 1, "x"], [30, 1, "y"], [40, 20, "z"], [50, 30, "z"]))).toEqual({});
  });

  test("do not include a process that reuses the id of a child", () => {
    const table = tableOf([20, HOST, "a"], [30, 1, "x"]);
    expect(after(new Map([[20, "a"]]), { ...table, childrenOf: () => [[30]] })).toEqual({ 20: "a" });
  });

  test("do not include the children of a process that took the parent's id during the scan", () => {
    const table = tableOf([20, 1, "x"], [30, 20, "y"]);
    expect(after(new Map([[20, "a"]]), table)).toEqual({});
  });

  test("are empty if the server ended before the first scan and another process has its id", () => {
    expect(after(new Map([[20, ""]]), tableOf([20, 1, "x"], [30, 20, "y"]))).toEqual({});
  });

  test("are updated if one of them reuses the id of another", () => {
    const known: Known = new Map([
      [20, "a"],
      [30, "b"],
    ]);
    expect(after(known, tableOf([20, HOST, "a"], [30, 20, "c"]))).toEqual({ 20: "a", 30: "c" });
  });

  test("stay known if a concurrent scan has updated them", () => {
    const known: Known = new Map([[20, "a"]]);
    scan(known, tableOf([20, 1, "b"]), () => known.set(20, "b"));
    expect(Object.fromEntries(known)).toEqual({ 20: "b" });
  });

  test("are scanned with pauses between processes and threads", () => {
    let asked = 0;
    const counted = <T>(result: T): T => {
      asked += 1;
      return result;
    };
    const table: ProcessTable = {
      factsOf: (pid) => counted({ parent: pid === 20 ? HOST : 20, start: "a" }),
      *childrenOf(pid) {
        for (let thread = 0; thread < 100; thread += 1) yield counted(pid === 20 ? [1_000 + thread] : []);
      },
    };
    let most = 0;
    scan(new Map([[20, ""]]), table, () => {
      most = Math.max(most, asked);
      asked = 0;
    });
    expect(most).toBeLessThan(5);
  });
});

test("ps output is parsed into parent and start time, without ended processes", () => {
  const table = parsePs(`    1     0 Ss   Mon Nov 16 10:00:00 2026
   20     1 S+   Mon Nov 16 10:00:01 2026
   30    20 Z    Mon Nov 16 10:00:02 2026
  unreadable
`);
  expect(table.factsOf(20)).toEqual({ parent: 1, start: "Mon_Nov_16_10:00:01_2026" });
  expect(table.factsOf(30)).toBeUndefined();
  expect([...table.childrenOf(1)].flat()).toEqual([20]);
  expect([...table.childrenOf(20)].flat()).toEqual([]);
});

test.skipIf(process.platform !== "linux")(
  "/proc returns this process, and no process that does not exist",
  () => {
    const facts = procTable.factsOf(process.pid);
    expect(facts?.parent).toBe(process.ppid);
    expect(facts?.start).toMatch(/^\d+$/);
    expect(procTable.factsOf(2 ** 30)).toBeUndefined();
    expect([...procTable.childrenOf(process.ppid)].flat()).toContain(process.pid);
  },
);
