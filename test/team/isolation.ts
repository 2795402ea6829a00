/* oxlint-disable unicorn/no-thenable -- the rules of a policy have a member with this name */
import type { JsonObject } from "../../src/model/index.ts";
import { startTeam, type Team, type TeamBrowser } from "../support/team.ts";
import { stdioServer } from "../support/test-servers.ts";

const NAMES = ["ada", "grace"] as const;
const META = "io.modelcontextprotocol/";
const CAN_ASK = { [`${META}clientCapabilities`]: { elicitation: { form: {} } } };
const YES = { "plugboard-approval": { action: "accept", content: { allow: true } } };

/** What one person has. The other one tries to use it. */
interface Side {
  readonly name: string;
  readonly token: string;
  readonly browser: TeamBrowser;
  /** A text that only this person sends. */
  readonly mark: string;
  session: string;
  state: string;
  approval: string;
  /** Everything that reached this person. */
  received: string;
}

/** What happened during the operations. */
export interface IsolationCounts {
  readonly operations: number;
  /** Uses of what the other person has. */
  readonly foreign: number;
  readonly leaks: readonly string[];
}

/** Two people use one gateway at random, and each one also what the other one has. Returns what reached the wrong person. */
export async function runIsolation(operations: number, seed: number): Promise<IsolationCounts> {
  await using team = await startTeam({
    servers: { notes: { ...stdioServer("notes-server.mjs") } },
    policy: {
      rules: [
        { who: ["*"], tools: ["hang_up"], then: "ask" },
        { who: ["*"], then: "allow" },
      ],
    },
    limits: { pagesPerMinute: 10_000, requestsPerSecond: 10_000, burst: 10_000, sessions: 10_000 },
  });
  const random = randomFrom(seed);
  const sides = [await openSide(team, NAMES[0]), await openSide(team, NAMES[1])] as const;
  const leaks: string[] = [];
  let foreign = 0;
  for (let done = 0; done < operations; done += 1) {
    const isFirst = random() < 0.5;
    const [own, other] = isFirst ? sides : [sides[1], sides[0]];
    const [name, run] = ACTIONS[Math.floor(random() * ACTIONS.length)] ?? ACTIONS[0];
    const { isForeign, isAllowed } = await run(team, own, other);
    if (isForeign) foreign += 1;
    if (isForeign && isAllowed) leaks.push(`${name} of ${own.name} worked`);
    if (own.received.includes(other.mark))
      leaks.push(`${name} of ${own.name} returned a text of ${other.name}`);
    if (own.received.includes(other.token)) leaks.push(`${name} of ${own.name} returned a token`);
    own.received = "";
  }
  return { operations, foreign, leaks };
}

async function openSide(team: Team, name: string): Promise<Side> {
  const token = await team.token(name);
  const browser = team.browser();
  await browser.signIn(token);
  const mark = `text-of-${name}-${token.slice(-8)}`;
  return { name, token, browser, mark, session: "", state: "", approval: "", received: "" };
}

interface Outcome {
  readonly isForeign: boolean;
  readonly isAllowed: boolean;
}
const OWN: Outcome = { isForeign: false, isAllowed: true };

async function modern(team: Team, side: Side, method: string, params: JsonObject): Promise<JsonObject> {
  const { body } = await team.send(side.token, method, params);
  side.received += JSON.stringify(body);
  return body;
}

async function legacy(
  team: Team,
  side: Side,
  session: string,
  message: JsonObject,
): Promise<{ readonly status: number; readonly session: string }> {
  const response = await fetch(team.url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${side.token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(session !== "" && { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
  });
  side.received += await response.text();
  return { status: response.status, session: response.headers.get("mcp-session-id") ?? "" };
}

const write = (side: Side): JsonObject => ({
  name: "notes_write",
  arguments: { topic: "first", text: side.mark },
});
const approve = (): JsonObject => ({ name: "notes_hang_up", arguments: {}, _meta: CAN_ASK });
const stateIn = ({ result }: JsonObject): string =>
  String((result as JsonObject | undefined)?.["requestState"] ?? "");

type Action = (team: Team, own: Side, other: Side) => Promise<Outcome>;

const ACTIONS: readonly [readonly [string, Action], ...(readonly [string, Action])[]] = [
  [
    "writing",
    async (team, own) => {
      await modern(team, own, "tools/call", write(own));
      return OWN;
    },
  ],
  [
    "reading",
    async (team, own) => {
      await modern(team, own, "resources/read", { uri: "notes+note://first" });
      await modern(team, own, "resources/list", {});
      return OWN;
    },
  ],
  [
    "opening a session",
    async (team, own) => {
      const params = {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: own.mark, version: "1" },
      };
      ({ session: own.session } = await legacy(team, own, "", { id: 1, method: "initialize", params }));
      await legacy(team, own, own.session, { id: 2, method: "tools/call", params: write(own) });
      return OWN;
    },
  ],
  [
    "using a foreign session",
    async (team, own, other) => {
      const asked = { id: 3, method: "resources/read", params: { uri: "notes+note://first" } };
      if (other.session === "") return OWN;
      const { status } = await legacy(team, own, other.session, asked);
      return { isForeign: true, isAllowed: status !== 404 };
    },
  ],
  [
    "asking for an approval",
    async (team, own) => {
      own.state = stateIn(await modern(team, own, "tools/call", approve()));
      return OWN;
    },
  ],
  [
    "using a foreign state",
    async (team, own, other) => {
      if (other.state === "") return OWN;
      const params = { ...approve(), requestState: other.state, inputResponses: YES };
      const body = await modern(team, own, "tools/call", params);
      return { isForeign: true, isAllowed: body["result"] !== undefined };
    },
  ],
  [
    "waiting for an approval",
    async (team, own) => {
      await modern(team, own, "tools/call", { name: "notes_hang_up", arguments: {} });
      const [mine] = await team.store.callApprovals.waiting(
        (await team.store.people.find("local", own.name))?.id ?? "",
      );
      own.approval = mine?.id ?? "";
      return OWN;
    },
  ],
  [
    "deciding about a foreign call",
    async (team, own, other) => {
      if (other.approval === "") return OWN;
      await own.browser.post("/approvals", { id: other.approval, decision: "allowed" });
      const call = await team.store.callApprovals.get(other.approval);
      return { isForeign: true, isAllowed: call?.state === "allowed" };
    },
  ],
  [
    "looking at pages",
    async (team, own, other) => {
      const id = (await team.store.people.find("local", other.name))?.id ?? "";
      for (const path of ["/activity", `/activity?person=${id}`, "/tokens", "/approvals", `/people/${id}`])
        own.received += (await own.browser.get(path)).text;
      return OWN;
    },
  ],
];

/** Returns a generator that gives the same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
