import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { LONGEST_MS, report } from "../durability/counts.ts";

test(
  "100 clients use 30 servers for ten minutes with 5 % faults, and nothing grows",
  async () => {
    const program = resolve("scripts/soak-gateway.mjs");
    const words = [program, "--minutes", "10", "--json"];
    const { stdout } = await promisify(execFile)(process.execPath, words).catch(
      (error: { readonly stdout: string }) => error,
    );
    const { passed, total, rows } = JSON.parse(stdout) as {
      readonly passed: number;
      readonly total: number;
      readonly rows: unknown;
    };
    report("what must not grow in a gateway with 100 clients and 30 servers, in ten minutes", passed, total);
    expect({ passed, rows }).toEqual({ passed: total, rows });
  },
  LONGEST_MS,
);
