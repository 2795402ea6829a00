import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { reportTests } from "../durability/counts.ts";
import { serveRaw } from "../support/raw-http.ts";
import { createSandbox } from "../support/sandbox.ts";

reportTests("large answers over HTTP: little memory");

const program = fileURLToPath(new URL("measure-answer.mjs", import.meta.url));
const SIZE = 15.9 * 1024 * 1024;
const MOST_MB = 128;

test.each([
  ["bytes that are not UTF-8", 0xe0],
  ["ASCII", 0x61],
])("a response of 16 MB of %s uses less than 128 MB of memory", async (_, byte) => {
  await using sandbox = await createSandbox();
  await using server = await serveRaw({
    answer: ({ message }, response) => {
      const { params } = (message ?? {}) as { readonly params?: { readonly arguments?: { text?: string } } };
      if (params?.arguments?.text !== "large") return false;
      const [head, tail] = ['{"content":[{"type":"text","text":"', '"}]}'];
      response.writeHead(200, { "content-type": "application/json" });
      response.write(`{"jsonrpc":"2.0","id":${String(message?.["id"])},"result":${head}`);
      response.write(Buffer.alloc(SIZE, byte));
      response.end(`${tail}}`);
      return true;
    },
  });
  const task = JSON.stringify({ home: sandbox.home, url: server.url });
  const { stdout } = await promisify(execFile)(process.execPath, [program, task]);
  const { growthMb, end } = JSON.parse(stdout) as { readonly growthMb: number; readonly end: string };
  expect(end).toMatch(/Read the part you need from that file/);

  expect(growthMb).toBeLessThan(MOST_MB);
});
