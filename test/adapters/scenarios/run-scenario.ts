import { deepEqual, equal, match, ok } from "node:assert/strict";
import type { SessionOptions } from "../../../src/index.ts";
import { type ModelServer, startModel } from "../model-server.ts";
import type { Body, Turn } from "../wire.ts";
import type { Driver, Run, ScenarioName } from "./driver.ts";
import { hasTool, isApproved, type World } from "./world.ts";

type Turns = Parameters<typeof startModel>[0];

/** One scenario with one driver. */
interface Cell {
  readonly driver: Driver;
  readonly world: World;
  /** Returns the name by which the model calls a tool. */
  nameOf(name: string): string;
  /** A turn in which the model calls tools of the scenario server, or of another one. */
  calling(...calls: readonly (readonly [tool: string, args?: Body, server?: string])[]): Turn;
  /** Runs the loop, and returns the text and the model server's record. */
  run(
    turns: Turns,
    options?: RunOptions,
  ): Promise<{ readonly chunks: string[]; readonly server: ModelServer }>;
}

interface RunOptions extends Partial<Run> {
  readonly sessionOptions?: SessionOptions;
}

const MOST_TURNS = 20;
const DONE: Turn = { text: "all is done" };

/** Runs a scenario. Throws if it fails. Uses no test framework, because one driver runs in another Node. */
export async function runScenario(name: ScenarioName, driver: Driver, world: World): Promise<void> {
  const nameOf = driver.nameOf ?? ((tool: string) => tool);
  const servers: ModelServer[] = [];
  try {
    await STEPS[name]({
      driver,
      world,
      nameOf,
      calling: (...calls) => ({
        calls: calls.map(([tool, args = {}, server = "tools"]) => ({
          name: nameOf(server === "" ? tool : `mcp_${server}_${tool}`),
          args,
        })),
      }),
      async run(turns, { sessionOptions = { servers: ["tools"] }, ...options } = {}) {
        const server = await startModel(turns);
        servers.push(server);
        const session = options.session ?? world.host.session(sessionOptions);
        const chunks = await driver.run({
          session,
          url: server.url,
          signal: new AbortController().signal,
          isStreamed: false,
          isStrict: false,
          approve: isApproved,
          ...options,
        });
        deepEqual(server.refused, []);
        return { chunks, server };
      },
    });
  } finally {
    await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
  }
}

const textOf = (server: ModelServer): string => JSON.stringify(server.results());

const STEPS: Readonly<Record<ScenarioName, (cell: Cell) => Promise<void>>> = {
  async plain({ run, calling }) {
    const { chunks, server } = await run([calling(["echo", { text: "hello" }]), DONE]);
    equal(chunks.join(""), DONE.text);
    match(textOf(server), /hello/);
  },
  async streaming({ run, calling }) {
    const { chunks, server } = await run([calling(["echo", { text: "hello" }]), DONE], { isStreamed: true });
    equal(chunks.join(""), DONE.text);
    ok(chunks.length > 1, `the text came in ${chunks.length} chunk`);
    match(textOf(server), /hello/);
  },
  async "tool error"({ run, calling }) {
    const { chunks, server } = await run([calling(["fail"]), DONE]);
    equal(chunks.join(""), DONE.text);
    match(textOf(server), /Error: it went wrong/);
  },
  async image({ run, calling }) {
    const { server } = await run([calling(["image"]), DONE]);
    match(textOf(server), /"(?:image|input_image|inlineData)".*iVBORw0KGgo/); // not inside a text, where quotes are escaped
  },
  async resource({ run, calling }) {
    const { server } = await run([calling(["resource"]), DONE]);
    match(textOf(server), /embedded text/);
  },
  async cancel({ run, calling, world }) {
    const id = world.unique("cancel");
    const stop = new AbortController();
    const ended = run([calling(["slow", { id }]), DONE], { signal: stop.signal }).catch(() => undefined);
    await world.call("started", { id });
    stop.abort();
    await world.call("cancelled", { id });
    await ended;
  },
  async parallel({ run, calling, world }) {
    const id = world.unique("meeting");
    const { server } = await run([calling(["meet", { id }], ["meet", { id }]), DONE]);
    equal(textOf(server).split(`met ${id}`).length - 1, 2);
  },
  async approval({ run, calling, world, driver }) {
    const asked: unknown[] = [];
    world.askedByHost.length = 0;
    const approve = (input: unknown): boolean => {
      asked.push(input);
      return isApproved(input);
    };
    const turns = [calling(["guarded", { text: "yes" }]), calling(["guarded", { text: "no" }]), DONE];
    const { chunks, server } = await run(turns, { approve });
    equal(chunks.join(""), DONE.text);
    match(textOf(server), /guarded yes/);
    ok(!textOf(server).includes("guarded no"), "a call was made that the person denied");
    const expected = [{ text: "yes" }, { text: "no" }];
    deepEqual(
      { sdk: asked, host: world.askedByHost },
      { sdk: driver.asks === "sdk" ? expected : [], host: driver.asks === "host" ? expected : [] },
    );
  },
  async elicitation({ run, calling }) {
    const { server } = await run([calling(["form"]), DONE]);
    match(textOf(server), /hello Ann/);
  },
  async "live change"({ run, calling, nameOf, world, driver }) {
    const name = world.unique("grown");
    const session = world.host.session({ servers: ["tools"] });
    const grow = calling(["grow", { name }]);
    /** Waits until a request offers the new tool, and then calls it. */
    let isUsed = false;
    const useIt = async (offered: readonly string[]): Promise<Turn> => {
      if (isUsed) return DONE;
      isUsed = offered.includes(nameOf(`mcp_tools_${name}`));
      if (isUsed) return calling([name]);
      await hasTool(session, `mcp_tools_${name}`);
      return calling(["echo", { text: "wait" }]);
    };
    const isLater = driver.follows === "next run";
    if (isLater) await run([grow, DONE], { session });
    if (isLater) await hasTool(session, `mcp_tools_${name}`);
    const turns = Array.from({ length: MOST_TURNS }, () => useIt);
    const { server } = await run(isLater ? turns : [grow, ...turns], { session });
    match(textOf(server), new RegExp(`this is ${name}`));
    session.close();
  },
  async "200 tools"({ run, calling, driver }) {
    const { mostTools = Number.POSITIVE_INFINITY } = driver;
    const isDirect = mostTools >= 200;
    const turn = isDirect
      ? calling(["tool_200", {}, "many"])
      : calling(["mcp_call_tool", { name: "mcp_many_tool_200", arguments: {} }, ""]);
    const sessionOptions = { servers: ["many"], mode: isDirect ? "direct" : "meta" } as const;
    const { server } = await run([turn, DONE], { sessionOptions });
    const [offered = []] = server.offered();
    ok(
      isDirect ? offered.length >= 200 : offered.length <= mostTools,
      `${offered.length} tools were offered`,
    );
    match(textOf(server), /tool 200/);
  },
  async "strict schema"({ run, calling, driver }) {
    const omitted = driver.sendsNull ? { ratio: null, mode: null, point: null } : {};
    const { server } = await run([calling(["typed", { count: 1, ...omitted }]), DONE], { isStrict: true });
    const typed = server.firstTools().find((tool) => tool.name === "mcp_tools_typed");
    if (driver.sendsNull) equal(typed?.strict, true);
    ok(textOf(server).includes(JSON.stringify('{"count":1}').slice(1, -1)), textOf(server));
  },
};
