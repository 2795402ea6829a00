import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { LONGEST_MS, report } from "../durability/counts.ts";

const program = fileURLToPath(new URL("../../bench/judge-published.mjs", import.meta.url));

interface Found {
  readonly count: number;
  readonly share: number;
}
interface Judged {
  readonly sharing: Found;
  readonly synonyms: Found;
  readonly tokens: { readonly direct: number; readonly meta: number };
}

/** The servers are installed from the registry the first time. */
test(
  "tools of published servers are found, and cost little in meta mode",
  async () => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program]);
    process.stderr.write(stderr);
    const { sharing, synonyms, tokens } = JSON.parse(stdout) as Judged;
    const reportFound = (line: string, { count, share }: Found): void =>
      report(line, Math.round(share * count), count);
    reportFound("new requests that share a word with a tool: tool in the first five", sharing);
    reportFound("new requests in synonyms only: tool in the first five", synonyms);
    report("tokens of the meta tools, compared with all definitions", tokens.meta, tokens.direct);
    expect(tokens.meta).toBeLessThan(tokens.direct);
  },
  LONGEST_MS,
);
