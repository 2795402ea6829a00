import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { startCollector } from "../support/otlp-collector.ts";
import { createSandbox } from "../support/sandbox.ts";

const run = promisify(execFile);
const LIBRARY = pathToFileURL(resolve("dist/index.js")).href;
const DEMO = resolve("dist/surfaces/demo/main.js");

test("the library does not load OpenTelemetry unless the program registered an SDK", async () => {
  await using sandbox = await createSandbox();
  const program = await sandbox.writeProject(
    "program.mjs",
    `import { createRequire } from "node:module";
     import { createHost } from ${JSON.stringify(LIBRARY)};
     const servers = { demo: { command: process.execPath, args: [${JSON.stringify(DEMO)}] } };
     const host = await createHost({ discover: false, servers });
     await host.call("demo", "uuid", { count: 1 });
     await host.close();
     console.log(Object.keys(createRequire(import.meta.url).cache).filter((file) => file.includes("opentelemetry")));`,
  );
  const { stdout } = await run(process.execPath, [program], { env: sandbox.env() });
  expect(stdout).toBe("[]\n");
});

test("the command line reports to an SDK that NODE_OPTIONS registers", async () => {
  await using sandbox = await createSandbox();
  await using collector = await startCollector();
  const sdk = pathToFileURL(resolve("node_modules/@opentelemetry/sdk-trace-node/build/src/index.js")).href;
  const otlp = pathToFileURL(
    resolve("node_modules/@opentelemetry/exporter-trace-otlp-http/build/src/index.js"),
  ).href;
  const register = await sandbox.writeProject(
    "register.mjs",
    `import trace from ${JSON.stringify(sdk)};
     import otlp from ${JSON.stringify(otlp)};
     const processor = new trace.SimpleSpanProcessor(new otlp.OTLPTraceExporter());
     new trace.NodeTracerProvider({ spanProcessors: [processor] }).register();`,
  );
  const env = {
    ...sandbox.env(),
    NODE_OPTIONS: `--import ${pathToFileURL(register).href}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  };
  const cli = resolve("dist/surfaces/cli/main.cjs");
  await run(process.execPath, [cli, "call", "demo", "uuid", "count=1"], { cwd: sandbox.project, env });
  expect(collector.spans.map(({ name }) => name)).toContain("tools/call uuid");
});
