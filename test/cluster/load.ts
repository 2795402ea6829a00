import type { JsonObject } from "../../src/model/index.ts";
import type { ClusterWorld } from "./cluster-world.ts";
import { LegacyClient, type RawAnswer } from "./legacy-client.ts";

export interface LoadReport {
  /** Safe requests that got no answer. */
  readonly lost: readonly string[];
  /** Calls of tools that the server did more than once. */
  readonly doubled: readonly string[];
  /** How many sessions got 404. */
  readonly notFound: number;
  /** How many requests were answered. */
  readonly answered: number;
  /** Calls of tools that ended with an error, because their node ended. */
  readonly interrupted: number;
  /** How they ended. */
  readonly failures: readonly string[];
  /** The longest time that a safe request took with its repetitions, in milliseconds. */
  readonly longestMs: number;
}

export interface Load {
  /** Resolves when so many more requests were answered. */
  answers(count: number): Promise<void>;
  stop(): Promise<LoadReport>;
}

const META = "io.modelcontextprotocol/";
/** How long a client repeats a safe request. */
const PATIENCE_MS = 30_000;

/** Sends requests of many clients through the balancer. Each repeats reads that got no answer, as clients do, but no calls of tools. */
export async function startLoad(
  world: ClusterWorld,
  {
    tokens,
    legacy,
    modern,
    pauseMs = 20,
  }: {
    readonly tokens: readonly string[];
    readonly legacy: number;
    readonly modern: number;
    readonly pauseMs?: number;
  },
): Promise<Load> {
  const lost: string[] = [];
  const failures: string[] = [];
  const done: string[] = [];
  let notFound = 0;
  let answered = 0;
  let interrupted = 0;
  let longestMs = 0;
  const over = new AbortController();
  let onAnswer = (): void => {};

  type Send = (method: string, params: JsonObject) => Promise<RawAnswer>;
  const isAnswer = ({ status, body }: RawAnswer): boolean => status === 200 && body["result"] !== undefined;

  const readSafely = async (send: Send, id: string): Promise<void> => {
    const began = performance.now();
    let last = "";
    while (performance.now() - began < PATIENCE_MS) {
      try {
        const answer = await send("resources/read", { uri: `counting+count:///${id}` });
        if (answer.status === 404) notFound += 1;
        if (isAnswer(answer)) {
          answered += 1;
          longestMs = Math.max(longestMs, performance.now() - began);
          return onAnswer();
        }
        last = `${answer.status} ${JSON.stringify(answer.body)}`;
      } catch (error) {
        last = String(error);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    lost.push(`${id}: ${last}`);
  };
  const callOnce = async (send: Send, id: string): Promise<void> => {
    done.push(id);
    try {
      const answer = await send("tools/call", { name: "counting_add", arguments: { id } });
      if (answer.status === 404) notFound += 1;
      if (isAnswer(answer)) answered += 1;
      else {
        failures.push(`${answer.status} ${JSON.stringify(answer.body["error"])}`);
        interrupted += 1;
      }
      onAnswer();
    } catch (error) {
      failures.push(String(error));
      interrupted += 1;
    }
  };
  const work = async (name: string, send: Send): Promise<void> => {
    for (let count = 0; !over.signal.aborted; count += 1) {
      await readSafely(send, `${name}-read-${count}`);
      await callOnce(send, `${name}-call-${count}`);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  const tokenOf = (index: number): string => tokens[index % tokens.length] ?? "";
  const running: Promise<void>[] = [];
  for (let index = 0; index < legacy; index += 1) {
    const client = await new LegacyClient(world.url, tokenOf(index)).initialize();
    running.push(work(`legacy${index}`, (method, params) => client.post(method, params)));
  }
  for (let index = 0; index < modern; index += 1)
    running.push(work(`modern${index}`, modernSender(world.url, tokenOf(index))));
  return {
    answers(count) {
      const wanted = answered + count;
      return new Promise((resolve) => {
        const before = onAnswer;
        onAnswer = () => {
          before();
          if (answered >= wanted) resolve();
        };
      });
    },
    async stop() {
      over.abort();
      await Promise.all(running);
      const doubled = done.filter((id) => (world.server.counts.get(id) ?? 0) > 1);
      return { lost, doubled, notFound, answered, interrupted, failures, longestMs };
    },
  };
}

function modernSender(url: string, token: string) {
  let id = 0;
  return async (method: string, params: JsonObject): Promise<RawAnswer> => {
    id += 1;
    const named = params["name"] ?? params["uri"];
    const response = await fetch(url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
        ...(typeof named === "string" && { "mcp-name": named }),
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id,
        method,
        params: {
          ...params,
          _meta: { [`${META}protocolVersion`]: "2026-07-28", [`${META}clientCapabilities`]: {} },
        },
      }),
    });
    const text = await response.text();
    const data = text.startsWith("{") ? text : [...text.matchAll(/^data: (\{.*\})$/gm)].at(-1)?.[1];
    return {
      status: response.status,
      headers: response.headers,
      body: JSON.parse(data ?? "{}") as JsonObject,
    };
  };
}
