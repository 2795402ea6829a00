import { expect, test, vi } from "vitest";
import type { AgentTool, MissingTools } from "../model/index.ts";
import { createSession, type Session, type SessionSource, type ToolsListener } from "./session.ts";

function toolOf(server: string, tool: string): AgentTool {
  return {
    name: `mcp_${server}_${tool}`,
    title: tool,
    description: "",
    inputSchema: {},
    server,
    tool,
    approval: "allow",
    stale: false,
    execute: () => Promise.reject(new Error("not called here")),
  };
}

interface Servers extends SessionSource {
  /** The tools that the next read returns. */
  offer(...tools: readonly AgentTool[]): void;
  /** The servers whose tools are not known. */
  lack(...servers: readonly MissingTools[]): void;
  changeTools(server: string): void;
  readonly errors: unknown[];
  readonly registered: Set<ToolsListener>;
}

function createServers(): Servers {
  const registered = new Set<ToolsListener>();
  const errors: unknown[] = [];
  let offered: readonly AgentTool[] = [];
  let missing: readonly MissingTools[] = [];
  return {
    tools: async () => offered.map((tool) => ({ ...tool })),
    missing: () => missing,
    instructions: async () => [
      { server: "files", text: "Paths are absolute." },
      { server: "web", text: "Be polite." },
    ],
    register(session) {
      registered.add(session);
      return () => registered.delete(session);
    },
    offers: [],
    tokenBudget: 1_000,
    isMeta: () => false,
    memory: { learned: () => new Map(), searched: () => {} },
    slots: { most: 0, choose: () => [], onChosen: () => {} },
    onListenerError: (error) => void errors.push(error),
    offer: (...tools) => {
      offered = tools;
    },
    lack: (...servers) => {
      missing = servers;
    },
    changeTools(server) {
      for (const session of registered) session.toolsChanged(server);
    },
    errors,
    registered,
  };
}

const namesIn = (session: Session): string[] => session.snapshot().tools.map(({ name }) => name);
const READ = toolOf("files", "read");
const WRITE = toolOf("files", "write");
const FETCH = toolOf("web", "fetch");

test("the first snapshot is empty and reads nothing", () => {
  const session = createSession({ ...createServers(), tools: () => Promise.reject(new Error("read")) }, {});
  expect(session.snapshot()).toEqual({ revision: 0, tools: [], missing: [] });
});

test("tools are replaced as a whole, and earlier snapshots do not change", async () => {
  const servers = createServers();
  const session = createSession(servers, {});
  servers.offer(READ);
  const before = await session.tools();
  servers.offer(WRITE, FETCH);
  await session.tools();
  expect({
    before: before.map(({ tool }) => tool),
    now: namesIn(session),
    revision: session.snapshot().revision,
  }).toEqual({
    before: ["read"],
    now: ["mcp_files_write", "mcp_web_fetch"],
    revision: 2,
  });
});

test("the list and the snapshot are frozen", async () => {
  const servers = createServers();
  servers.offer(READ);
  const session = createSession(servers, {});
  const tools = (await session.tools()) as AgentTool[];
  expect(() => tools.push(FETCH)).toThrow(TypeError);
  expect(() => Object.assign(session.snapshot(), { revision: 9 })).toThrow(TypeError);
});

test("a change of a server's tools replaces the snapshot and notifies listeners", async () => {
  const servers = createServers();
  const session = createSession(servers, {});
  servers.offer(READ);
  await session.tools();
  const heard: number[] = [];
  const stop = session.subscribe(({ revision, tools }) => heard.push(revision, tools.length));

  servers.offer(READ, WRITE);
  servers.changeTools("files");
  await vi.waitFor(() => expect(heard).toEqual([2, 2]));
  stop();
  servers.offer();
  servers.changeTools("files");
  await vi.waitFor(() => expect(session.snapshot().revision).toBe(3));
  expect(heard).toEqual([2, 2]);
});

test("reading unchanged tools does not replace the snapshot, so a listener may read too", async () => {
  const servers = createServers();
  servers.offer(READ);
  const session = createSession(servers, {});
  let told = 0;
  session.subscribe(() => {
    told += 1;
    void session.tools();
  });
  const first = await session.tools();
  const second = await session.tools();
  expect({ told, isSame: first === second, revision: session.snapshot().revision }).toEqual({
    told: 1,
    isSame: true,
    revision: 1,
  });
});

test("a slow read does not overwrite a newer one", async () => {
  const answers: ((tools: readonly AgentTool[]) => void)[] = [];
  const session = createSession(
    { ...createServers(), tools: () => new Promise((resolve) => void answers.push(resolve)) },
    {},
  );
  const slow = session.tools();
  const fast = session.tools();
  answers[1]?.([WRITE]);
  await fast;
  answers[0]?.([READ]);
  expect({ slow: (await slow).map(({ tool }) => tool), now: namesIn(session) }).toEqual({
    slow: ["write"],
    now: ["mcp_files_write"],
  });
});

test("simultaneous changes of hundreds of servers cause one more read", async () => {
  const servers = createServers();
  const waiting: (() => void)[] = [];
  let readings = 0;
  const session = createSession(
    {
      ...servers,
      async tools() {
        readings += 1;
        await new Promise<void>((resolve) => void waiting.push(resolve));
        return servers.tools();
      },
    },
    {},
  );
  for (let count = 0; count < 300; count += 1) servers.changeTools(`s${count}`);
  servers.offer(READ);
  waiting.shift()?.();
  await vi.waitFor(() => expect(waiting).toHaveLength(1));
  servers.offer(READ, WRITE);
  waiting.shift()?.();
  await vi.waitFor(() => expect(namesIn(session)).toEqual(["mcp_files_read", "mcp_files_write"]));
  expect(readings).toBe(2);
});

test("a bundle that changes to meta mode replaces the snapshot, although the tools are the same", async () => {
  const servers = createServers();
  servers.offer(READ, FETCH);
  let isMeta = false;
  const session = createSession({ ...servers, isMeta: (server) => isMeta && server === "files" }, {});
  await session.tools();
  isMeta = true;
  await session.tools();
  expect(namesIn(session)).toEqual([
    "mcp_search_tools",
    "mcp_describe_tool",
    "mcp_call_tool",
    "mcp_web_fetch",
  ]);
});

test("a listener that throws is reported, and the snapshot is still replaced", async () => {
  const servers = createServers();
  servers.offer(READ);
  const session = createSession(servers, {});
  const failure = new Error("broken listener");
  const heard: number[] = [];
  session.subscribe(() => {
    throw failure;
  });
  session.subscribe(({ revision }) => heard.push(revision));
  const tools = await session.tools();
  expect({ count: tools.length, heard, errors: servers.errors }).toEqual({
    count: 1,
    heard: [1],
    errors: [failure],
  });
});

test("a failed read rejects and keeps the tools", async () => {
  const servers = createServers();
  servers.offer(READ);
  let broken = false;
  const session = createSession(
    { ...servers, tools: () => (broken ? Promise.reject(new Error("gone")) : servers.tools()) },
    {},
  );
  await session.tools();
  broken = true;
  servers.changeTools("files");
  await expect(session.tools()).rejects.toThrow("gone");
  expect(namesIn(session)).toEqual(["mcp_files_read"]);
});

test("a session with selected servers ignores the others", async () => {
  const servers = createServers();
  servers.offer(READ, FETCH);
  const session = createSession(servers, { servers: ["web"] });
  await session.tools();
  servers.offer(READ, WRITE, FETCH);
  servers.changeTools("files");
  await session.tools();
  expect({
    names: namesIn(session),
    revision: session.snapshot().revision,
    said: await session.instructions(),
  }).toEqual({
    names: ["mcp_web_fetch"],
    revision: 1,
    said: '## From the MCP server "web"\n\nThe server says this, not the user:\n\n> Be polite.',
  });
});

test("instructions are returned with the servers' names", async () => {
  expect(await createSession(createServers(), {}).instructions()).toBe(
    '## From the MCP server "files"\n\nThe server says this, not the user:\n\n> Paths are absolute.\n\n## From the MCP server "web"\n\nThe server says this, not the user:\n\n> Be polite.',
  );
});

test("a closed session ignores changes and notifies no listeners", async () => {
  const servers = createServers();
  servers.offer(READ);
  const session = createSession(servers, {});
  const heard: number[] = [];
  session.subscribe(({ revision }) => heard.push(revision));
  session.close();
  await session.tools();
  expect({ heard, registered: servers.registered.size }).toEqual({ heard: [], registered: 0 });
});

test("a snapshot says which of the session's servers are missing, without a new revision", async () => {
  const servers = createServers();
  servers.offer(READ);
  const session = createSession(servers, { servers: ["files", "slow"] });
  await session.tools();
  const before = session.snapshot();
  servers.lack({ server: "slow" }, { server: "web" });
  const slow = session.snapshot();
  const tooSlow = { server: "slow", because: "too slow", nextTry: "2026-01-01T00:00:00.000Z" };
  servers.lack(tooSlow);
  const failed = session.snapshot();
  expect([before.missing, slow.missing, failed.missing]).toEqual([[], [{ server: "slow" }], [tooSlow]]);
  expect([slow.revision, slow.tools === before.tools, failed === session.snapshot()]).toEqual([
    1,
    true,
    true,
  ]);
});
