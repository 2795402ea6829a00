import { trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { createHost } from "plugboard";

const exporter = new OTLPTraceExporter(); // sends to OTEL_EXPORTER_OTLP_ENDPOINT
const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });
provider.register();

const host = await createHost({
  discover: false,
  servers: { clock: { command: "node", args: ["clock-server.mjs"], env: { ZONE: "UTC" } } },
});
await trace.getTracer("my-agent").startActiveSpan("answer a question", async (span) => {
  console.log((await host.call("clock", "now")).text);
  span.end();
});
await host.close();
await provider.shutdown(); // sends the remaining spans
