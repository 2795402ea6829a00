/**
 * The server that the official suite expects, built with the official SDK. Served over stdio behind the gateway.
 * Argument: --era legacy | modern (default legacy).
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import {
  completable,
  inputRequired,
  McpServer,
  ProtocolError,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const { era } = parseArgs({ options: { era: { type: "string", default: "legacy" } } }).values;
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
const INVALID_PARAMS = -32602;

const text = (value) => ({ content: [{ type: "text", text: value }] });
const textForm = (name) => ({ type: "object", properties: { [name]: { type: "string" } }, required: [name] });
const ask = (message, requestedSchema) => inputRequired.elicit({ message, requestedSchema });
const askModel = (question, maxTokens) =>
  inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: question } }],
    maxTokens,
  });
const answersIn = ({ mcpReq }) => mcpReq.inputResponses ?? {};
const isAnswer = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

const key = randomBytes(32);
const signatureOf = (state) => createHmac("sha256", key).update(state).digest("base64url");
const seal = (state) => `${state}.${signatureOf(state)}`;
const states = {
  verify(sealed) {
    const [state, signature = ""] = sealed.split(".");
    const wanted = Buffer.from(signatureOf(state));
    const given = Buffer.from(signature);
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
      throw new ProtocolError(INVALID_PARAMS, "The state was changed.");
    return state;
  },
};

function createFixture() {
  const server = new McpServer(
    { name: "fixture", version: "1.0.0" },
    {
      capabilities: { logging: {}, resources: { subscribe: true, listChanged: true } },
      requestState: { verify: async (sealed) => states.verify(sealed) },
    },
  );
  if (era === "legacy")
    for (const method of ["logging/setLevel", "resources/subscribe", "resources/unsubscribe"])
      server.server.setRequestHandler(method, () => ({}));
  registerContent(server);
  registerStreams(server);
  registerTalking(server);
  registerInput(server);
  registerResources(server);
  registerPrompts(server);
  return server;
}

function registerContent(server) {
  const tool = (name, result) => server.registerTool(name, { description: name }, () => result);
  const image = { type: "image", data: PNG, mimeType: "image/png" };
  tool("test_simple_text", text("This is a simple text response for testing."));
  tool("test_image_content", { content: [image] });
  tool("test_audio_content", { content: [{ type: "audio", data: WAV, mimeType: "audio/wav" }] });
  const embedded = {
    uri: "test://embedded-resource",
    mimeType: "text/plain",
    text: "This is an embedded resource content.",
  };
  tool("test_embedded_resource", { content: [{ type: "resource", resource: embedded }] });
  const mixed = {
    uri: "test://mixed-content-resource",
    mimeType: "application/json",
    text: '{"test":"data","value":123}',
  };
  tool("test_multiple_content_types", {
    content: [
      { type: "text", text: "Multiple content types test:" },
      image,
      { type: "resource", resource: mixed },
    ],
  });
  tool("test_error_handling", {
    ...text("This tool intentionally returns an error for testing"),
    isError: true,
  });
}

/** Tools that the scenario `server-stateless` calls. */
function registerStreams(server) {
  server.registerTool("test_logging_tool", { description: "Logs once" }, async ({ mcpReq }) => {
    await mcpReq.log("info", "Logged.");
    return text("Logged.");
  });
  server.registerTool("test_streaming_elicitation", { description: "Asks the user" }, (ctx) => {
    const { answer } = answersIn(ctx);
    if (!isAnswer(answer))
      return inputRequired({ inputRequests: { answer: ask("Go on?", textForm("name")) } });
    return text("Done.");
  });
  let changes = 0;
  const next = () => {
    changes += 1;
    return `added_${changes}`;
  };
  server.registerTool("test_trigger_tool_change", { description: "Adds a tool" }, () => {
    server.registerTool(next(), { description: "Added" }, () => text("Added."));
    return text("Added.");
  });
  server.registerTool("test_trigger_prompt_change", { description: "Adds a prompt" }, () => {
    server.registerPrompt(next(), { description: "Added" }, () => ({ messages: [] }));
    return text("Added.");
  });
}

function registerTalking(server) {
  server.registerTool("test_tool_with_logging", { description: "Logs" }, async ({ mcpReq }) => {
    for (const said of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await mcpReq.log("info", said);
      await delay(50);
    }
    return text("Logged.");
  });
  server.registerTool("test_tool_with_progress", { description: "Reports progress" }, async ({ mcpReq }) => {
    const { _meta: meta = {} } = mcpReq;
    const { progressToken } = meta;
    for (const progress of [0, 50, 100]) {
      const params = { progressToken, progress, total: 100 };
      if (progressToken !== undefined) await mcpReq.notify({ method: "notifications/progress", params });
      await delay(50);
    }
    return text("Done.");
  });
  server.registerTool(
    "test_sampling",
    { description: "Asks a model", inputSchema: z.object({ prompt: z.string() }) },
    ({ prompt }, ctx) => {
      const { answer } = answersIn(ctx);
      if (!isAnswer(answer)) return inputRequired({ inputRequests: { answer: askModel(prompt, 100) } });
      return text(`LLM response: ${answer.content?.text}`);
    },
  );
  const elicits = (name, schema, inputSchema, say) =>
    server.registerTool(
      name,
      { description: "Asks the user", ...(inputSchema && { inputSchema }) },
      (...given) => {
        const { answer } = answersIn(given.at(-1));
        const message = inputSchema ? given[0].message : "Please fill in the form";
        if (!isAnswer(answer)) return inputRequired({ inputRequests: { answer: ask(message, schema) } });
        return text(say(answer));
      },
    );
  const asCompleted = ({ action, content }) =>
    `Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`;
  elicits(
    "test_elicitation",
    {
      type: "object",
      properties: {
        username: { type: "string", description: "User's response" },
        email: { type: "string", description: "User's email address" },
      },
      required: ["username", "email"],
    },
    z.object({ message: z.string() }),
    ({ action, content }) => `User response: action: ${action}, content: ${JSON.stringify(content ?? {})}`,
  );
  elicits("test_elicitation_sep1034_defaults", DEFAULTS, undefined, asCompleted);
  elicits("test_elicitation_sep1330_enums", ENUMS, undefined, asCompleted);
}

const DEFAULTS = {
  type: "object",
  properties: {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  },
};
const titled = (word) =>
  ["First", "Second", "Third"].map((place, index) => ({
    const: `value${index + 1}`,
    title: `${place} ${word}`,
  }));
const OPTIONS = ["option1", "option2", "option3"];
const ENUMS = {
  type: "object",
  properties: {
    untitledSingle: { type: "string", enum: OPTIONS },
    titledSingle: { type: "string", oneOf: titled("Option") },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array", items: { type: "string", enum: OPTIONS } },
    titledMulti: { type: "array", items: { anyOf: titled("Choice") } },
  },
};

/** Each asks for what is missing, and returns the last value when nothing is. */
function registerInput(server) {
  const gathers = (name, requests, finish, state) =>
    server.registerTool(name, { description: "Gathers input" }, (ctx) => {
      const given = answersIn(ctx);
      const missing = Object.keys(requests).filter((one) => !isAnswer(given[one]));
      if (missing.length === 0) return text(finish(given));
      const inputRequests = Object.fromEntries(missing.map((one) => [one, requests[one]()]));
      return inputRequired({ inputRequests, ...(state && { requestState: seal(state) }) });
    });
  const askName = () => ask("What is your name?", textForm("name"));
  const confirm = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] };
  const nameIn = ({ user_name: answer }) => `Hello, ${answer.content?.name}!`;
  gathers("test_input_required_result_elicitation", { user_name: askName }, nameIn);
  gathers(
    "test_input_required_result_sampling",
    { capital_question: () => askModel("What is the capital of France?", 100) },
    ({ capital_question: answer }) => String(answer.content?.text),
  );
  const roots = () => inputRequired.listRoots();
  gathers(
    "test_input_required_result_list_roots",
    { client_roots: roots },
    ({ client_roots: { roots: found } }) => JSON.stringify(found),
  );
  const askConfirm = () => ask("Please confirm", confirm);
  gathers("test_input_required_result_request_state", { confirm: askConfirm }, () => "state-ok", "confirm");
  gathers("test_input_required_result_tampered_state", { confirm: askConfirm }, () => "state-ok", "tamper");
  gathers(
    "test_input_required_result_multiple_inputs",
    { user_name: askName, greeting: () => askModel("Generate a greeting", 50), client_roots: roots },
    nameIn,
    "several",
  );
  server.registerTool("test_input_required_result_multi_round", { description: "Two rounds" }, (ctx) => {
    const { step1, step2 } = answersIn(ctx);
    const state = ctx.mcpReq.requestState?.();
    if (isAnswer(step2)) return text(`Done: ${step2.content?.color}`);
    const next =
      isAnswer(step1) || state === "one"
        ? ["step2", ask("Step 2: What is your favorite color?", textForm("color")), "two"]
        : ["step1", ask("Step 1: What is your name?", textForm("name")), "one"];
    return inputRequired({ inputRequests: { [next[0]]: next[1] }, requestState: seal(next[2]) });
  });
  server.registerTool(
    "test_input_required_result_capabilities",
    { description: "Asks what it may" },
    (ctx) => {
      const can =
        ctx.mcpReq.envelope?.["io.modelcontextprotocol/clientCapabilities"] ??
        server.server.getClientCapabilities() ??
        {};
      const given = answersIn(ctx);
      const inputRequests = {
        ...(can.sampling && !given.model && { model: askModel("Hi?", 10) }),
        ...(can.elicitation && !given.user && { user: ask("Hi?", textForm("name")) }),
      };
      return Object.keys(inputRequests).length === 0 ? text("Thanks.") : inputRequired({ inputRequests });
    },
  );
  server.registerTool("test_missing_capability", { description: "Requires sampling" }, (ctx) => {
    const { answer } = answersIn(ctx);
    return isAnswer(answer) ? text("ok") : inputRequired({ inputRequests: { answer: askModel("Hi?", 10) } });
  });
}

function registerResources(server) {
  const resource = (uri, content) =>
    server.registerResource(uri.slice(7), uri, { mimeType: content.mimeType }, () => ({
      contents: [{ uri, ...content }],
    }));
  resource("test://static-text", {
    mimeType: "text/plain",
    text: "This is the content of the static text resource.",
  });
  resource("test://static-binary", { mimeType: "image/png", blob: PNG });
  resource("test://watched-resource", { mimeType: "text/plain", text: "Watched." });
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined });
  server.registerResource("template", template, { mimeType: "application/json" }, ({ href }, { id }) => {
    const data = { id, templateTest: true, data: `Data for ID: ${id}` };
    return { contents: [{ uri: href, mimeType: "application/json", text: JSON.stringify(data) }] };
  });
}

function registerPrompts(server) {
  const message = (content) => ({ role: "user", content });
  const said = (value) => message({ type: "text", text: value });
  const answersTo = (name, messages) =>
    server.registerPrompt(name, { description: name }, () => ({ messages }));
  answersTo("test_simple_prompt", [said("This is a simple prompt for testing.")]);
  answersTo("test_prompt_with_image", [
    message({ type: "image", data: PNG, mimeType: "image/png" }),
    said("Please analyze the image above."),
  ]);
  const argument = completable(z.string(), (value) =>
    ["paris", "park", "party"].filter((one) => one.startsWith(value)),
  );
  server.registerPrompt(
    "test_prompt_with_arguments",
    { description: "Two arguments", argsSchema: z.object({ arg1: argument, arg2: z.string() }) },
    ({ arg1, arg2 }) => ({ messages: [said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "Embeds a resource", argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri: uri }) => {
      const resource = { uri, mimeType: "text/plain", text: "Embedded resource content for testing." };
      return {
        messages: [
          message({ type: "resource", resource }),
          said("Please process the embedded resource above."),
        ],
      };
    },
  );
  server.registerPrompt("test_input_required_result_prompt", { description: "Asks first" }, (ctx) => {
    const { user_context: answer } = answersIn(ctx);
    const question = ask("What context should the prompt use?", textForm("context"));
    if (!isAnswer(answer)) return inputRequired({ inputRequests: { user_context: question } });
    return { messages: [said(`Context: ${answer.content?.context}`)] };
  });
}

if (era === "modern") serveStdio(createFixture, { legacy: "reject" });
else await createFixture().connect(new StdioServerTransport());
