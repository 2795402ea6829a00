import { describe, expect, test } from "vitest";
import type { CallRequest } from "../../src/index.ts";
import { failureOf, hostErrorOf } from "../flow/host-in.ts";
import { stdioServer } from "../support/test-servers.ts";
import { inChat } from "./in-chat.ts";

const calling = (tool: string, args = {}) => ({ calls: [{ name: `mcp_tools_${tool}`, args }] });

describe("a turn on the screen", () => {
  test("shows running calls, then prints their results and the answer", () =>
    inChat(
      [calling("progress", { steps: 2 }), { text: "**Two** steps.\n\n- `one`\n- two" }],
      async (chat) => {
        await chat.enter("go");
        expect(chat.screen.printed.map((text) => text.replace(/\(\d+\.\d s\)/, "(0.0 s)"))).toEqual([
          "● tools · progress  steps=2  (0.0 s)\n  2 steps done",
          "",
          "Two steps.",
          "",
          "• one",
          "• two",
        ]);
        expect(chat.screen.shown).toContain("◌ tools · progress  steps=2\n  2/2 step 2 of 2");
        expect(chat.screen.shown[0]).toMatch(/^… openai\/gpt-.* is thinking {2}0 s, Esc cancels$/);
        expect({ live: chat.screen.live(), aside: chat.screen.aside }).toEqual({
          live: [],
          aside: expect.stringMatching(/^openai\/gpt-/) as string,
        });
      },
    ));

  test("shows a tool's error message, and several calls at once", () =>
    inChat(
      [{ calls: [...calling("fail").calls, ...calling("echo", { text: "a\nb" }).calls] }, { text: "ok" }],
      async ({ enter, screen }) => {
        await enter("go");
        expect(screen.printed.toSorted().map((text) => text.replace(/\(.*\)/, "()"))).toEqual(
          [
            "",
            "ok",
            "✗ tools · fail  ()\n  Error: it went wrong",
            "● tools · echo  text=a ⏎ b  ()\n  a\n  b",
          ].toSorted(),
        );
      },
    ));

  test("prints no terminal control sequences", () =>
    inChat(
      [calling("echo", { text: "\u001b[2Jx" }), { text: "a\u001b]0;title\u0007 b\u202ec" }],
      async ({ enter, screen }) => {
        await enter("go");
        expect([...screen.printed, ...screen.shown].join("\n")).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
        expect(screen.printed.at(-1)).toBe("a\\x1b]0;title\\x07 b\\u{202e}c");
      },
    ));

  test("reports a cancellation and removes the live blocks", () =>
    inChat([calling("slow", { ms: 60_000 })], async ({ enter, screen, host }) => {
      const stop = new AbortController();
      host.subscribe((event) => {
        if (event.type === "call.progress") stop.abort();
      });
      await enter("go", stop.signal);
      expect(screen.printed.at(-1)).toBe("Cancelled.");
      expect(screen.live()).toEqual([]);
    }));

  test("reports a provider's refusal and the variable to check", () =>
    inChat([{ status: 401, message: "no" }], async ({ enter, screen }) => {
      await enter("go");
      expect(screen.printed).toEqual([
        expect.stringMatching(
          /^✗ openai\/gpt-.* rejected the API key \(401\): no\n {2}Check OPENAI_API_KEY\.$/,
        ),
      ]);
    }));
});

test("the host's policy check asks the user, and the model gets the refusal", () => {
  const asked: CallRequest[] = [];
  return inChat(
    [
      { calls: [...calling("echo", { text: "yes" }).calls, ...calling("echo", { text: "no" }).calls] },
      { text: "ok" },
    ],
    async ({ enter, model }) => {
      await enter("go");
      expect(asked.map(({ server, tool, args }) => ({ server, tool, args }))).toEqual([
        { server: "tools", tool: "echo", args: { text: "yes" } },
        { server: "tools", tool: "echo", args: { text: "no" } },
      ]);
      expect(model.results()).toEqual(["yes", expect.stringMatching(/MCP error: .* was not approved/)]);
    },
    {
      host: {
        servers: { tools: { ...stdioServer("tools-server.mjs"), approval: "ask" } },
        onCall(request) {
          asked.push(request);
          return request.args["text"] === "yes";
        },
      },
    },
  );
});

test("with many tools the model searches, and the inner calls are shown", () =>
  inChat(
    [
      { calls: [{ name: "mcp_search_tools", args: { query: "echo" } }] },
      { calls: [{ name: "mcp_call_tool", args: { name: "mcp_tools_echo", arguments: { text: "found" } } }] },
      { text: "ok" },
    ],
    async ({ enter, model, screen }) => {
      await enter("go");
      expect(model.offered()[0]).toEqual(["mcp_search_tools", "mcp_describe_tool", "mcp_call_tool"]);
      expect(screen.shown).toContain("◌ mcp_tools_echo  text=found");
      expect(screen.printed.map((text) => text.replace(/\(.*\)/, "()"))).toContain(
        "● tools · echo  text=found  ()\n  found",
      );
    },
    { host: { settings: { toolTokens: 1 } } },
  ));

describe("the model", () => {
  test("if missing, is reported with three options, and nothing is sent", () =>
    inChat(
      [],
      async ({ enter, screen }) => {
        const { code, message, hint } = await failureOf(enter("hello"));
        expect({ code, message, lines: hint?.split("\n").length }).toEqual({
          code: "MODEL_UNKNOWN",
          message: "No model is configured. Use one of these:",
          lines: 3,
        });
        expect([screen.printed, screen.live()]).toEqual([[], []]);
      },
      { env: {} },
    ));

  test("can be shown and changed; an unknown name changes nothing", () =>
    inChat([{ text: "hi" }], async ({ enter, screen, model, complete, parts }) => {
      await enter("/model");
      expect(screen.printed[0]).toMatch(/^openai\/gpt-\S+\n {2}anthropic\/claude-/);
      expect(await hostErrorOf(enter("/model antropic/x"))).toMatchObject({
        hint: 'Did you mean "anthropic"?',
      });
      await enter("/model openai/gpt-other");
      expect(screen.printed[1]).toBe("✓ Using openai/gpt-other.");
      expect(screen.printed[2]).toContain("It is your default model now.");
      await enter("hello");
      expect(model.requests[0]?.["model"]).toBe("gpt-other");
      expect(await complete("/model oll")).toEqual({ from: 7, texts: ["ollama/"] });
      expect((await parts.models.suggestions()).filter(({ isReady }) => isReady)).toHaveLength(1);
    }));

  test("gets no messages from before /new", () =>
    inChat([{ text: "one" }, { text: "two" }], async ({ enter, model }) => {
      await enter("remember the word xylophone");
      await enter("/new");
      await enter("what was the word?");
      expect(JSON.stringify(model.requests[1])).not.toContain("xylophone");
    }));
});

describe("a server's sampling request", () => {
  test("is answered by the chat's model, with images and without the conversation", () =>
    inChat([{ text: "A pixel." }], async ({ parts, model }) => {
      const answer = await parts.complete(
        {
          server: "tools",
          messages: [
            {
              role: "user",
              content: [
                { type: "text", text: "What is this?" },
                { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
              ],
            },
          ],
          maxTokens: 100,
          systemPrompt: "Be exact.",
        },
        new AbortController().signal,
      );
      expect(answer).toMatchObject({ content: { type: "text", text: "A pixel." }, stopReason: "endTurn" });
      const asked = JSON.stringify(model.requests[0]);
      expect(asked).toMatch(/Be exact\..*What is this\?.*image\/png;base64,iVBORw0KGgo=/s);
      expect(model.requests[0]?.["max_output_tokens"]).toBe(100);
    }));

  test("can be answered with a call to the server's own tool", () =>
    inChat([{ calls: [{ name: "weather", args: { city: "Oslo" } }] }], async ({ parts }) => {
      const answer = await parts.complete(
        {
          server: "tools",
          messages: [{ role: "user", content: [{ type: "text", text: "How is it?" }] }],
          maxTokens: 100,
          tools: [
            { name: "weather", description: "Weather", inputSchema: { type: "object", properties: {} } },
          ],
        },
        new AbortController().signal,
      );
      expect(answer).toMatchObject({
        content: { type: "tool_use", name: "weather", input: { city: "Oslo" } },
        stopReason: "toolUse",
      });
    }));
});
