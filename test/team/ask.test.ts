/* oxlint-disable unicorn/no-thenable -- the rules of a policy have a member with this name */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/index.ts";
import type { Era } from "../support/gateway-clients.ts";
import { startTeam, type Team } from "../support/team.ts";
import { stdioServer } from "../support/test-servers.ts";

let team: Team;
let ada: string;
let grace: string;

beforeAll(async () => {
  team = await startTeam({
    servers: {
      tools: { ...stdioServer("tools-server.mjs") },
      notes: { ...stdioServer("notes-server.mjs") },
    },
    policy: {
      rules: [
        { name: "look first", who: ["*"], tools: ["echo"], then: "ask" },
        { name: "reading", who: ["*"], resources: ["note://first"], then: "ask" },
        { who: ["*"], then: "allow" },
      ],
    },
  });
  [ada, grace] = [await team.token("ada"), await team.token("grace")];
});
afterAll(() => team[Symbol.asyncDispose]());

const META = "io.modelcontextprotocol/";
const CAN_ASK = { [`${META}clientCapabilities`]: { elicitation: { form: {} } } };
const YES = { "plugboard-approval": { action: "accept", content: { allow: true } } };

/** Calls the tool as a client that can ask its user. */
const call = async (token: string, params: JsonObject = {}, text = "hi"): Promise<JsonObject> => {
  const asked = { name: "tools_echo", arguments: { text }, _meta: CAN_ASK, ...params };
  return (await team.send(token, "tools/call", asked)).body;
};
const stateIn = ({ result }: JsonObject): string =>
  String((result as JsonObject | undefined)?.["requestState"]);

describe.each<Era>(["legacy", "modern"])("a %s client", (era) => {
  test.each([
    ["the user agrees", { action: "accept", content: { allow: true } }, true],
    ["the user accepts the form without agreeing", { action: "accept", content: { allow: false } }, false],
    ["the user declines", { action: "decline" }, false],
  ] as const)("asks the user, and the call runs only if %s", async (_, answer, runs) => {
    const asked: string[] = [];
    const client = await team.connect(ada, era, { capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params.message);
      return answer;
    });
    const calling = client.callTool({ name: "tools_echo", arguments: { text: "hi\u202e" } });
    if (runs) expect(await calling).toMatchObject({ content: [{ text: "hi\u202e" }] });
    else await expect(calling).rejects.toThrow("did not allow");
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain('Allow tools/call of "echo" at "tools"?');
    expect(asked[0]).not.toContain("\u202e");
  });
});

describe("an approval", () => {
  test("covers one execution of exactly one request", async () => {
    const state = stateIn(await call(ada));
    expect(state).toMatch(/^pb1\./);
    const given = { requestState: state, inputResponses: YES };
    const refused = { error: { code: -32602 } };
    expect(await call(ada, given, "other")).toMatchObject(refused);
    expect(await call(grace, given)).toMatchObject(refused);
    expect(await call(ada, { requestState: `${state.slice(0, -1)}A`, inputResponses: YES })).toMatchObject(
      refused,
    );
    expect(await call(ada, given)).toMatchObject({ result: { content: [{ text: "hi" }] } });
    expect(await call(ada, given)).toMatchObject(refused);
    expect(await call(ada, { inputResponses: YES })).toMatchObject({
      result: { resultType: "input_required" },
    });
  });

  test("is not given by a state without an answer", async () => {
    const requestState = stateIn(await call(ada));
    expect(await call(ada, { requestState })).toMatchObject({ error: { data: { reason: "denied" } } });
    expect(await call(ada, { requestState, inputResponses: YES })).toMatchObject({ error: { code: -32602 } });
  });

  test("is requested on a page if the client cannot ask, even for resources", async () => {
    const { body } = await team.send(ada, "tools/call", { name: "tools_echo", arguments: { text: "page" } });
    expect(JSON.stringify(body)).toContain("/approvals");
    const read = await team.send(ada, "resources/read", { uri: "notes+note://first" });
    expect(read.body).toMatchObject({ error: { data: { reason: "interaction_required" } } });
    expect(await team.store.callApprovals.waiting()).toHaveLength(2);
  });

  test("is requested on a page if the arguments are too long for a message", async () => {
    const answer = await call(ada, {}, "x".repeat(5_000));
    expect(JSON.stringify(answer)).toContain("/approvals");
  });

  test("is recorded with its rule", async () => {
    const entries = (await team.audit()).filter(({ decision }) => decision?.answer === "ask");
    expect(entries.length).toBeGreaterThan(5);
    expect(entries[0]?.decision).toEqual({ answer: "ask", rule: "look first", by: "client" });
  });
});
