import { Client, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { isJsonObject, type JsonObject } from "../../src/model/index.ts";
import { type Era, gatewayIn, httpTo, pipeTo } from "../support/gateway-clients.ts";
import { createSandbox } from "../support/sandbox.ts";
import { stdioServer } from "../support/test-servers.ts";

/** One step of a script: a request of the client, with the arguments that tell the server what to do. */
export interface Step {
  readonly method: string;
  readonly params: JsonObject;
}

export type Script = readonly Step[];

/** The name that the server has at the gateway. No script contains it. */
const NAME = "zz";
/** A server may ask 60 times a minute, so it is started again after some scripts. */
const SCRIPTS_PER_SERVER = 20;

/** A number generator that gives the same numbers for a seed. */
function createRandom(seed: number): (most: number) => number {
  let state = seed >>> 0;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

/** Returns the script with a number. */
export function scriptOf(seed: number): Script {
  const random = createRandom(seed * 7_919 + 1);
  const words = ["alpha", "béta", "«γ»", "", "a b", "memo:x", "line\nbreak", "0"];
  const word = (): string => `${words[random(words.length)] ?? ""}${random(1_000)}`;
  let progress = 0;
  const act = (): JsonObject =>
    random(3) > 0
      ? { progress: (progress += 1 + random(5)), total: 100, message: word() }
      : {
          level: ["debug", "info", "error"][random(3)] ?? "info",
          data: random(2) ? word() : { a: [word()] },
        };
  const some = <T>(most: number, make: () => T): T[] => Array.from({ length: random(most + 1) }, make);
  const block = (): JsonObject =>
    [
      { type: "text", text: word(), annotations: { priority: 0.5 } },
      { type: "resource_link", uri: `memo:${random(9)}`, name: word(), _meta: { link: word() } },
      { type: "resource", resource: { uri: `ui://page/${random(9)}`, text: word(), mimeType: "text/html" } },
      { type: "image", data: "AAAA", mimeType: "image/png" },
    ][random(4)] ?? {};
  const call = (): Step => {
    progress = 0;
    return {
      method: "tools/call",
      params: {
        name: "run",
        arguments: {
          before: some(3, act),
          asks: random(2)
            ? []
            : some(2, () => ({ kind: ["form", "page", "model"][random(3)] ?? "form", text: word() })),
          after: some(3, act),
          result: { content: some(3, block), _meta: { custom: word(), "x/y": { deep: [word()] } } },
          ...(random(6) === 0 && { fails: word() }),
        },
        _meta: { traceparent: `00-${random(1e9)}`, custom: { word: word() } },
      },
    };
  };
  const others: (() => Step)[] = [
    () => ({ method: "resources/read", params: { uri: `memo:${random(9)}` } }),
    () => ({ method: "resources/read", params: { uri: "memo:missing" } }),
    () => ({ method: "prompts/get", params: { name: "tell", arguments: { topic: word() } } }),
    () => ({
      method: "completion/complete",
      params: { ref: { type: "ref/prompt", name: "tell" }, argument: { name: "topic", value: word() } },
    }),
    () => ({ method: "tools/list", params: {} }),
    () => ({ method: "prompts/list", params: {} }),
    () => ({ method: "resources/templates/list", params: {} }),
  ];
  return Array.from({ length: 1 + random(3) }, () =>
    random(3) > 0 ? call() : (others[random(others.length)] ?? call)(),
  );
}

export interface Route {
  readonly client: Era;
  readonly server: Era;
  readonly downstream: "stdio" | "http";
  /** Changes what the gateway sends, to see that the comparison notices. */
  readonly spoil?: ((message: JsonObject) => readonly JsonObject[]) | undefined;
}

/** Runs scripts directly, with a client of the server's era, and through the gateway. Returns both records, without ids and names. */
export async function runBoth(
  scripts: readonly Script[],
  route: Route,
): Promise<{ readonly direct: unknown[][]; readonly relayed: unknown[][] }> {
  const direct: unknown[][] = [];
  const relayed: unknown[][] = [];
  for (let from = 0; from < scripts.length; from += SCRIPTS_PER_SERVER) {
    const some = scripts.slice(from, from + SCRIPTS_PER_SERVER);
    direct.push(...(await runDirectly(some, route)));
    relayed.push(...(await runRelayed(some, route)));
  }
  return { direct, relayed };
}

async function runDirectly(scripts: readonly Script[], { server }: Route): Promise<unknown[][]> {
  const { command, args } = stdioServer("scripted-server.mjs", ["--era", server]);
  return record(new StdioClientTransport({ command, args }), server, scripts, (step) => step);
}

async function runRelayed(scripts: readonly Script[], route: Route): Promise<unknown[][]> {
  await using sandbox = await createSandbox();
  const servers = { [NAME]: stdioServer("scripted-server.mjs", ["--era", route.server]) };
  await using gateway = await gatewayIn(sandbox, { servers });
  const { transport, close } = route.downstream === "stdio" ? pipeTo(gateway) : await httpTo(gateway, "/mcp");
  const records = await record(transport, route.client, scripts, toGateway, route.spoil);
  await close();
  return records;
}

/** Returns a step with the names and addresses that the gateway uses. */
function toGateway({ method, params }: Step): Step {
  const { name, uri, ref } = params;
  const own = isJsonObject(ref) ? { ref: { ...ref, name: `${NAME}_${String(ref["name"])}` } } : {};
  return {
    method,
    params: {
      ...params,
      ...(typeof name === "string" && { name: `${NAME}_${name}` }),
      ...(typeof uri === "string" && { uri: `${NAME}+${uri}` }),
      ...own,
    },
  };
}

async function record(
  transport: Transport,
  era: Era,
  scripts: readonly Script[],
  convert: (step: Step) => Step,
  spoil: Route["spoil"] = (message) => [message],
): Promise<unknown[][]> {
  const mode = era === "legacy" ? "legacy" : { pin: "2026-07-28" };
  const client = new Client(
    { name: "test", version: "1.0.0" },
    {
      versionNegotiation: { mode },
      capabilities: { elicitation: { form: {}, url: {} }, sampling: {} },
    },
  );
  client.setRequestHandler("elicitation/create", ({ params }) =>
    "url" in params ? { action: "accept" } : { action: "accept", content: { name: params.message } },
  );
  client.setRequestHandler("sampling/createMessage", () => ({
    role: "assistant",
    model: "m",
    content: { type: "text", text: "yes" },
  }));
  await client.connect(transport);
  let received: JsonObject[] = [];
  const deliver = transport.onmessage;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is no event target
  transport.onmessage = (message, extra) => {
    for (const one of spoil(message as unknown as JsonObject)) {
      received.push(one);
      setImmediate(() => deliver?.(one as unknown as JSONRPCMessage, extra));
    }
  };
  if (era === "legacy") await client.setLoggingLevel("debug");
  const records: unknown[][] = [];
  for (const script of scripts) {
    received = [];
    for (const step of script) {
      const { method, params } = convert(step);
      const meta = { ...(params["_meta"] as JsonObject), ...(era === "modern" && { [LOG_LEVEL]: "debug" }) };
      const sent = { method, params: { ...params, _meta: meta } } as never;
      await client.request(sent, { onprogress: () => {} } as never).catch(() => {}); // the record has the error
    }
    records.push(received.flatMap(toEvents));
  }
  await client.close();
  return records;
}

const LOG_LEVEL = "io.modelcontextprotocol/logLevel";
const SERVER_INFO = "io.modelcontextprotocol/serverInfo";

/** Returns what a message says, in the same form for both eras, without ids and the gateway's names. */
function toEvents(message: JsonObject): unknown[] {
  const { method, params, result, error } = message;
  const text = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value ?? null).replaceAll(/zz_|zz\+|zz\/|zz: /g, ""));
  if (method !== undefined) {
    if (String(method).endsWith("list_changed")) return [];
    const { progressToken: _token, elicitationId: _id, _meta: meta, ...said } = params as JsonObject;
    const kept = Object.keys((meta ?? {}) as JsonObject).filter((key) => !key.includes("subscriptionId"));
    return [text([method, said, kept])];
  }
  if (error !== undefined) {
    const { message: said } = error as JsonObject;
    return [text(["error", said])];
  }
  const {
    resultType,
    inputRequests,
    ttlMs: _ttl,
    cacheScope: _scope,
    _meta: meta,
    ...said
  } = result as JsonObject;
  if (resultType === "input_required")
    return Object.values((inputRequests ?? {}) as JsonObject).flatMap((one) => toEvents(one as JsonObject));
  const { [SERVER_INFO]: _info, ...kept } = (meta ?? {}) as JsonObject;
  return [text(["result", said, kept])];
}
