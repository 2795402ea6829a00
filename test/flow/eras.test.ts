import { appendFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ServerOptions } from "../../src/index.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";
import { failureOf, hostIn } from "./host-in.ts";

/** A server that records every start and every method it receives. */
function noting(
  sandbox: Sandbox,
  entry: { command: string; args: string[] },
): {
  server: ServerOptions;
  notes(): Promise<string[]>;
} {
  const file = join(sandbox.home, "notes");
  const [program = "", ...args] = entry.args;
  const wrapper = `
    const { appendFileSync } = require("node:fs");
    const note = (text) => appendFileSync(process.env.NOTES, text + "\\n");
    note("start");
    const { spawn } = require("node:child_process");
    const child = spawn(process.execPath, [${JSON.stringify(program)}, ...${JSON.stringify(args)}], { stdio: ["pipe", "inherit", "inherit"] });
    require("node:readline").createInterface({ input: process.stdin })
      .on("line", (line) => { note(JSON.parse(line).method ?? "answer"); child.stdin.write(line + "\\n"); })
      .on("close", () => child.stdin.end());
    child.stdin.on("error", () => {});
    child.on("exit", (code) => process.exit(code ?? 1));
  `;
  appendFileSync(file, "");
  return {
    server: { command: process.execPath, args: ["-e", wrapper], env: { NOTES: file } },
    async notes() {
      const text = await readFile(file, "utf8");
      await writeFile(file, "");
      return text.split("\n").filter(Boolean);
    },
  };
}

const handshakeOf = (notes: readonly string[]): string[] =>
  notes.filter((note) => ["start", "server/discover", "initialize"].includes(note));

/** One run of a program: a host that connects, and is closed. */
async function connectOnce(sandbox: Sandbox, server: ServerOptions): Promise<string> {
  await using host = await hostIn(sandbox, { servers: { it: server } });
  const { era } = await host.connect("it");
  return era;
}

describe("the era of a server", () => {
  test("is detected once, on the same connection, and not again by the next run", async () => {
    await using sandbox = await createSandbox();
    const { server, notes } = noting(sandbox, stdioServer("tools-server.mjs", ["--era", "legacy"]));
    expect(await connectOnce(sandbox, server)).toBe("legacy");
    expect(handshakeOf(await notes())).toEqual(["start", "server/discover", "initialize"]);
    expect(await connectOnce(sandbox, server)).toBe("legacy");
    expect(handshakeOf(await notes())).toEqual(["start", "initialize"]);
  });

  test("costs a second start the first time only if detection makes the server crash", async () => {
    await using sandbox = await createSandbox();
    const { server, notes } = noting(sandbox, stdioServer("raw-server.mjs", ["--behave", "strict-init"]));
    expect(await connectOnce(sandbox, server)).toBe("legacy");
    expect(handshakeOf(await notes())).toEqual(["start", "server/discover", "start", "initialize"]);
    expect(await connectOnce(sandbox, server)).toBe("legacy");
    expect(handshakeOf(await notes())).toEqual(["start", "initialize"]);
  });

  test("is detected again if the remembered era no longer works", async () => {
    await using sandbox = await createSandbox();
    const eraFile = join(sandbox.home, "era");
    const file = join(sandbox.home, "server.mjs");
    const program = stdioServer("tools-server.mjs").args[0] ?? "";
    const text = `import { readFileSync } from "node:fs";
      process.argv.push("--era", readFileSync(${JSON.stringify(eraFile)}, "utf8"));
      await import(${JSON.stringify(program)});`;
    await writeFile(file, text);
    const server = { command: process.execPath, args: [file] };
    await writeFile(eraFile, "legacy");
    expect(await connectOnce(sandbox, server)).toBe("legacy");
    await writeFile(eraFile, "modern");
    expect(await connectOnce(sandbox, server)).toBe("modern");
    await writeFile(eraFile, "legacy");
    expect(await connectOnce(sandbox, server)).toBe("legacy");
  });

  test("is not detected if the config sets it", async () => {
    await using sandbox = await createSandbox();
    const { server, notes } = noting(sandbox, stdioServer("tools-server.mjs", ["--era", "both"]));
    expect(await connectOnce(sandbox, { ...server, protocol: "legacy" })).toBe("legacy");
    expect(handshakeOf(await notes())).toEqual(["start", "initialize"]);
    expect(await connectOnce(sandbox, { ...server, protocol: "2026-07-28" })).toBe("modern");
    expect(handshakeOf(await notes())).toEqual(["start", "server/discover"]);
  });

  test("is named in the error if the config requires it and the server does not support it", async () => {
    await using sandbox = await createSandbox();
    const legacy = stdioServer("raw-server.mjs");
    await using host = await hostIn(sandbox, {
      servers: {
        modern: { ...legacy, protocol: "2026-07-28" },
        newer: { ...legacy, protocol: "2025-11-25" },
        right: { ...legacy, protocol: "2025-03-26" },
      },
    });
    expect(await failureOf(host.connect("modern"))).toMatchObject({
      code: "CONNECT_FAILED",
      message:
        'Failed to connect to "modern": it uses an older protocol version, but its entry requires 2026-07-28',
    });
    expect((await failureOf(host.connect("newer"))).message).toContain(
      "it uses protocol version 2025-06-18, but its entry requires 2025-11-25",
    );
    expect((await host.connect("right")).protocolVersion).toBe("2025-03-26");
  });

  test("makes the entry invalid if it is unknown", async () => {
    await using sandbox = await createSandbox();
    await using host = await hostIn(sandbox, {
      servers: { odd: { ...stdioServer("raw-server.mjs"), protocol: "1999-01-01" } },
    });
    expect(host.servers()).toMatchObject([{ name: "odd", state: "invalid" }]);
    const { code, message } = await failureOf(host.connect("odd"));
    expect(code).toBe("SERVER_INVALID");
    expect(message).toContain('unknown protocol version "1999-01-01" (use "auto", "legacy", "2026-07-28"');
  });
});

describe("the versions that a server lists", () => {
  /** An HTTP server that answers the era probe with this response. */
  async function connectTo(answer: (asked: number) => object): Promise<{ era?: string; message?: string }> {
    let asked = 0;
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on("end", () => {
        const { id, method } = JSON.parse(body || "{}");
        if (method !== "server/discover") {
          response.writeHead(404).end();
          return;
        }
        asked += 1;
        const reply = answer(asked);
        response.writeHead("error" in reply ? 400 : 200, { "content-type": "application/json" });
        response.end(JSON.stringify({ jsonrpc: "2.0", id, ...reply }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      await using sandbox = await createSandbox();
      const { port } = server.address() as AddressInfo;
      const url = `http://127.0.0.1:${port}/mcp`;
      await using host = await hostIn(sandbox, { servers: { it: { type: "http", url } } });
      return await host.connect("it").then(
        ({ era }) => ({ era }),
        (error: Error) => ({ message: error.message }),
      );
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  const refusal = (supported: readonly string[]) => ({
    error: { code: -32022, message: "Unsupported protocol version", data: { supported } },
  });

  test("in a refusal are tried if a supported one is among them", async () => {
    const capabilities = { tools: {} };
    const agreed = { result: { resultType: "complete", supportedVersions: ["2026-07-28"], capabilities } };
    expect(await connectTo((asked) => (asked === 1 ? refusal(["2026-07-28"]) : agreed))).toEqual({
      era: "modern",
    });
  });

  test("are shown to the user if they are unknown", async () => {
    const { message } = await connectTo(() => refusal(["2031-01-01"]));
    expect(message).toContain(
      "it uses protocol version 2031-01-01, which is not one of 2026-07-28, 2025-11-25",
    );
  });
});
