import { Agent, OpenAIProvider, Runner, setTracingDisabled } from "@openai/agents";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { agentsTools, chatTools, responsesTools } from "../../../src/adapters/openai/index.ts";
import { type AgentTool, ToolAbortError } from "../../../src/index.ts";
import { type ModelServer, startModel } from "../../adapters/model-server.ts";
import { calling, PICTURE, withHost } from "../../adapters/tools-host.ts";
import { eventuallyReads, PATIENTLY } from "../../flow/host-in.ts";

setTracingDisabled(true);

const clientOf = ({ url }: ModelServer): OpenAI =>
  new OpenAI({ apiKey: "test", baseURL: `${url}/v1`, maxRetries: 0 });
const PIXEL = /^data:image\/png;base64,iVBOR/;

describe("the Responses API", () => {
  test.each([false, true])("a loop calls tools and receives their results (strict: %s)", (strict) =>
    withHost(async (host) => {
      await using server = await startModel([
        { calls: [...callsOf("echo", { text: "hi" }), ...callsOf("image"), ...callsOf("fail")] },
        { text: "done" },
      ]);
      const client = clientOf(server);
      const tools = responsesTools(host.session(), { strict });
      const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: "go" }];
      let response = await client.responses.create({
        model: "gpt-5.1",
        input,
        tools: await tools.definitions(),
      });
      while (response.output.some(({ type }) => type === "function_call")) {
        input.push(
          ...(response.output as OpenAI.Responses.ResponseInput),
          ...(await tools.run(response.output)),
        );
        response = await client.responses.create({
          model: "gpt-5.1",
          input,
          tools: await tools.definitions(),
        });
      }
      expect({ text: response.output_text, refused: server.refused }).toEqual({ text: "done", refused: [] });
      expect(server.results()).toEqual([
        "hi",
        [
          { type: "input_text", text: PICTURE },
          { type: "input_image", detail: "auto", image_url: expect.stringMatching(PIXEL) as string },
        ],
        "Error: it went wrong",
      ]);
    }),
  );

  test("null for an omitted property in strict mode does not reach the server", () =>
    withHost(async (host) => {
      const tools = responsesTools(await strictable(host.session().tools(PATIENTLY)), { strict: true });
      const [definition] = await tools.definitions();
      expect(definition).toMatchObject({ strict: true });
      const [output] = await tools.run([
        {
          type: "function_call",
          call_id: "1",
          name: "mcp_tools_typed",
          arguments: '{"count":1,"ratio":null,"mode":null}',
        } as { type: string },
      ]);
      expect(output).toMatchObject({ output: '{"count":1}' });
    }));
});

describe("the Responses API's tool search", () => {
  test("a search by the program returns the definitions of hidden tools, and later requests keep the first definitions", () =>
    withHost(async (host) => {
      await using server = await startModel([
        { calls: [{ name: "tool_search", args: { query: "adding numbers" } }] },
        calling("add", { a: 1, b: 2 }),
        { text: "done" },
      ]);
      const client = clientOf(server);
      const tools = responsesTools(host.session(), {
        deferLoading: ({ tool }) => tool !== "echo",
        search: (query) => host.search(query, { limit: 1 }),
      });
      const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: "go" }];
      for (let isDone = false; !isDone; ) {
        const request = { model: "gpt-5.1", input, tools: await tools.definitions() };
        const { output } = await client.responses.create(request);
        const results = await tools.run(output);
        input.push(...(output as OpenAI.Responses.ResponseInput), ...results);
        isDone = results.length === 0;
      }
      expect({ refused: server.refused, offered: server.offered(), results: server.results() }).toEqual({
        refused: [],
        offered: Array.from({ length: 3 }, () => ["mcp_tools_echo"]),
        results: ["3"],
      });
      expect(input).toContainEqual(
        expect.objectContaining({
          type: "tool_search_output",
          execution: "client",
          tools: [expect.objectContaining({ name: "mcp_tools_add", defer_loading: true })],
        }),
      );
    }));

  test("without a search of the program, OpenAI searches", () =>
    withHost(async (host) => {
      const [first, ...rest] = await responsesTools(host.session(), { deferLoading: true }).definitions();
      expect(first).toEqual({ type: "tool_search" });
      expect(rest.every((tool) => "defer_loading" in tool && tool.defer_loading)).toBe(true);
    }));
});

describe("Chat Completions", () => {
  test("a loop calls tools and receives their results", () =>
    withHost(async (host) => {
      await using server = await startModel([
        { calls: [...callsOf("add", { a: 1, b: 2 }), ...callsOf("image")] },
        { text: "done" },
      ]);
      const client = clientOf(server);
      const tools = chatTools(host.session());
      const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "go" }];
      for (;;) {
        const { choices } = await client.chat.completions.create({
          model: "gpt-5.1",
          messages,
          tools: await tools.definitions(),
        });
        const message = choices[0]?.message;
        if (message?.tool_calls === undefined) break;
        messages.push(message, ...(await tools.run(message.tool_calls)));
      }
      expect({ refused: server.refused, results: server.results() }).toEqual({
        refused: [],
        results: ["3", PICTURE],
      });
    }));

  test.each([
    ["an unknown tool", "mcp_none", "{}", 'MCP error: Unknown tool "mcp_none".'],
    [
      "arguments that are not JSON",
      "mcp_tools_echo",
      "{text",
      /^MCP error: The arguments are not valid JSON: /,
    ],
    [
      "arguments that are not an object",
      "mcp_tools_echo",
      "[1]",
      "MCP error: The arguments must be an object.",
    ],
    ["arguments that the tool does not accept", "mcp_tools_echo", '{"text":1}', /^MCP error: .*text/s],
    [
      "a call that is not approved",
      "mcp_tools_env",
      '{"name":"PATH"}',
      "MCP error: The call was not approved.",
    ],
  ])("the model is informed about %s", (_, name, args, said) =>
    withHost(async (host) => {
      const tools = chatTools(host.session(), {
        decide: ({ tool }) => (tool.tool === "env" ? "ask" : "allow"),
      });
      await tools.definitions();
      const call = { id: "1", type: "function", function: { name, arguments: args } };
      const [message] = await tools.run([call]);
      expect(message).toEqual({
        role: "tool",
        tool_call_id: "1",
        content: expect.stringMatching(said) as string,
      });
    }),
  );

  test("a call by a name that several tools share returns the names to use", () =>
    withHost(async (host) => {
      const [tool] = await host.tools(PATIENTLY);
      const hashed = ["0123abcd", "4567cdef"].map((hash) => ({ ...tool, name: `mcp_a_read_1_${hash}` }));
      const tools = chatTools(hashed as AgentTool[]);
      await tools.definitions();
      const call = { id: "1", type: "function", function: { name: "mcp_a_read_1", arguments: "{}" } };
      expect(await tools.run([call])).toMatchObject([
        {
          content:
            'MCP error: Unknown tool "mcp_a_read_1". Call one of: mcp_a_read_1_0123abcd, mcp_a_read_1_4567cdef.',
        },
      ]);
    }));

  test("aborting cancels the call at the server", () =>
    withHost(async (host, { start, cancel }) => {
      const tools = chatTools(host.session());
      await tools.definitions();
      const stop = new AbortController();
      const call = {
        id: "1",
        type: "function",
        function: { name: "mcp_tools_slow", arguments: '{"ms":60000}' },
      };
      const running = tools.run([call], { signal: stop.signal });
      const ended = running.catch((error: unknown) => error);
      await eventuallyReads(start);
      stop.abort();
      expect(await ended).toBeInstanceOf(ToolAbortError);
      expect(await eventuallyReads(cancel)).toBe("cancelled");
    }));
});

describe("the Agents SDK", () => {
  test.each([true, false])("an agent uses the tools (Responses: %s)", (useResponses) =>
    withHost(async (host) => {
      await using server = await startModel([calling("echo", { text: "hi" }), { text: "done" }]);
      const modelProvider = new OpenAIProvider({ openAIClient: clientOf(server), useResponses });
      const agent = new Agent({ name: "test", model: "gpt-5.1", tools: await agentsTools(host.session()) });
      const { finalOutput } = await new Runner({ modelProvider }).run(agent, "go");
      expect({ finalOutput, refused: server.refused }).toEqual({ finalOutput: "done", refused: [] });
      expect(JSON.stringify(server.results())).toContain("hi");
    }),
  );

  test("a call that requires approval interrupts the run until it is approved, and images are passed on as images", () =>
    withHost(async (host) => {
      await using server = await startModel([calling("image"), { text: "done" }]);
      const modelProvider = new OpenAIProvider({ openAIClient: clientOf(server), useResponses: true });
      const tools = await agentsTools(host.session(), { decide: () => "ask" });
      const agent = new Agent({ name: "test", model: "gpt-5.1", tools });
      const runner = new Runner({ modelProvider });
      const first = await runner.run(agent, "go");
      const [asked] = first.interruptions;
      expect(asked?.name).toBe("mcp_tools_image");
      if (asked) first.state.approve(asked);
      const { finalOutput } = await runner.run(agent, first.state);
      expect(finalOutput).toBe("done");
      expect(server.results()).toEqual([
        [
          { type: "input_text", text: PICTURE },
          expect.objectContaining({ type: "input_image", image_url: expect.stringMatching(PIXEL) as string }),
        ],
      ]);
    }));
});

type Calls = readonly { readonly name: string; readonly args: Readonly<Record<string, unknown>> }[];

function callsOf(tool: string, args: Readonly<Record<string, unknown>> = {}): Calls {
  const turn = calling(tool, args);
  return "calls" in turn ? turn.calls : [];
}

/** The tool that returns its arguments, with a schema that can be strict. */
async function strictable(tools: Promise<readonly AgentTool[]>): Promise<readonly AgentTool[]> {
  return (await tools)
    .filter(({ tool }) => tool === "typed")
    .map((tool) => ({
      ...tool,
      inputSchema: {
        type: "object",
        properties: {
          count: { type: "integer" },
          ratio: { type: "number" },
          mode: { enum: ["fast", "slow"] },
        },
      },
    }));
}
