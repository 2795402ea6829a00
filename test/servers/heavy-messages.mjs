/**
 * Messages that are as slow to handle, or as large in memory, as one message may be. Each is a function, and names the method that
 * it answers and the JSON of the result. Messages with `before` are sent ahead of the answer.
 */
const MB = 1024 * 1024;
const ROOM = 15 * MB;

const text = (piece, bytes = ROOM) => `"${piece.repeat(Math.floor(bytes / Buffer.byteLength(piece)))}"`;
const list = (count, make) => `[${Array.from({ length: count }, (_, index) => make(index)).join(",")}]`;
const object = (count, make, key = (index) => `k${index}`) =>
  `{${Array.from({ length: count }, (_, index) => `"${key(index)}":${make(index)}`).join(",")}}`;
const deep = (depth) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
/** Objects of 19,000 members: each is just small enough not to count as huge. */
const wide = (count) => list(Math.floor(count / 19_000), () => object(19_000, () => "0"));

const call = (result) => ({ on: "tools/call", result });
const content = (items, more = "") => call(`{"content":${items}${more}}`);
const structured = (value, items = "[]") => content(items, `,"structuredContent":${value}`);
const notice = (method, params) => ({
  on: "tools/call",
  before: `{"jsonrpc":"2.0","method":"${method}","params":${params}}`,
  result: `{"content":[]}`,
});
const ask = (method, params) => ({
  on: "tools/call",
  before: `{"jsonrpc":"2.0","id":"q","method":"${method}","params":${params}}`,
  result: `{"content":[]}`,
});
const form = (properties, more = "") =>
  `{"message":"m","requestedSchema":{"type":"object","properties":${properties}${more}}}`;
const initialized = (members) => ({
  on: "initialize",
  result: `{"protocolVersion":"2025-11-25","serverInfo":{"name":"s","version":"1"},"capabilities":{"tools":{},"resources":{"subscribe":true},"prompts":{},"completions":{},"logging":{}},${members}}`,
});
const discovered = (members) => ({
  era: "modern",
  on: "server/discover",
  result: `{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"resources":{},"prompts":{}},${members}}`,
});
const modern = (on, result) => ({ era: "modern", on, result });
const HIDDEN = "\u202e";

export const HEAVY_MESSAGES = {
  "structured content with 900,000 numbers": () => structured(list(900_000, () => "0")),
  "structured content with 400,000 empty objects": () => structured(list(400_000, () => "{}")),
  "structured content with 900,000 members in objects": () => structured(wide(450_000)),
  "structured content of one huge object": () => structured(object(240_000, () => "0")),
  "structured content with 15 MB of hidden characters": () => structured(`{"a":${text(HIDDEN)}}`),
  "structured content with 15 MB that look encoded": () =>
    structured(`{"a":${text("Ab1+", ROOM).slice(0, -1)}!"}`),
  "structured content that fourteen long texts repeat": () =>
    structured(
      list(90_000, () => "1"),
      list(14, () => `{"type":"text","text":${JSON.stringify(`${list(480_000, () => "1")} `)}}`),
    ),
  "structured content of one number beside many texts": () =>
    structured(
      "1",
      list(150_000, () => `{"type":"text","text":"[]"}`),
    ),
  "structured content nested deeply": () => structured(deep(400_000)),
  "structured content with 900 lists nested 900 deep": () => structured(list(900, () => deep(900))),
  "structured content with 60,000 items that must differ": () => ({
    ...structured(`{"a":${list(60_000, (index) => `"${index}"`)}}`),
    outputSchema: { type: "object", properties: { a: { type: "array", uniqueItems: true } } },
  }),
  "content with 900,000 numbers": () => content(list(900_000, () => "0")),
  "content with 300,000 texts": () => content(list(300_000, () => `{"type":"text","text":"a"}`)),
  "content with 200,000 resource links": () =>
    content(list(130_000, () => `{"type":"resource_link","uri":"a:b","name":"c\u202e"}`)),
  "content with 150,000 images": () =>
    content(
      list(150_000, (index) => `{"type":"image","data":"${1000 + (index % 9000)}","mimeType":"image/png"}`),
    ),
  "an unknown content of 400,000 empty objects": () =>
    content(`[{"type":"x","a":${list(400_000, () => "{}")}}]`),
  "an unknown content nested deeply": () => content(`[${deep(400_000)}]`),
  "a text of 15 MB of hidden characters": () => content(`[{"type":"text","text":${text(HIDDEN)}}]`),
  "a text of eight million escaped quotes": () => content(`[{"type":"text","text":${text('\\"')}}]`),
  "a text of eight million escaped line breaks": () => content(`[{"type":"text","text":${text("\\n")}}]`),
  "a text of eight million backslashes": () => content(`[{"type":"text","text":${text("\\\\")}}]`),
  "a text of 15 MB of data urls": () => content(`[{"type":"text","text":${text("data:image/png;base64,")}}]`),
  "an image type of 15 MB": () => content(`[{"type":"image","data":"","mimeType":${text(HIDDEN)}}]`),
  "a resource address of 15 MB": () =>
    content(`[{"type":"resource","resource":{"uri":${text(HIDDEN)},"blob":""}}]`),
  "an image of 15 MB": () => content(`[{"type":"image","data":${text("QUJD")},"mimeType":"image/png"}]`),
  "metadata with 900,000 numbers": () => content("[]", `,"_meta":{"a":${list(900_000, () => "0")}}`),
  "a result with 200,000 members": () => call(object(200_000, () => "0")),
  "an error message of 15 MB": () => ({ on: "tools/call", error: `{"code":1,"message":${text(HIDDEN)}}` }),
  "error data with 900,000 numbers": () => ({
    on: "tools/call",
    error: `{"code":-32042,"message":"m","data":{"elicitations":${list(900_000, () => "0")}}}`,
  }),
  "a log line of 15 MB": () => notice("notifications/message", `{"level":"info","data":${text(HIDDEN)}}`),
  "a log line with 900,000 numbers": () =>
    notice("notifications/message", `{"data":${list(900_000, () => "0")}}`),
  "a progress message of 15 MB": () =>
    notice("notifications/progress", `{"progressToken":PROGRESS,"progress":1,"message":${text(HIDDEN)}}`),
  "an updated resource with an address of 15 MB": () =>
    notice("notifications/resources/updated", `{"uri":"r://a/${text(HIDDEN).slice(1)}}`),
  "a notification method of 15 MB": () => notice(text("a", 1).slice(1, -1) + "a".repeat(ROOM), "{}"),
  "a request method of 15 MB": () => ask(HIDDEN.repeat(ROOM / 3), "{}"),
  "a question of 15 MB of hidden characters": () =>
    ask(
      "elicitation/create",
      `{"message":${text(HIDDEN)},"requestedSchema":{"type":"object","properties":{}}}`,
    ),
  "a form with titles of 15 MB": () =>
    ask(
      "elicitation/create",
      form(object(90, () => `{"type":"string","title":${text(HIDDEN, ROOM / 100)}}`)),
    ),
  "a form with 200,000 fields": () => ask("elicitation/create", form(object(200_000, () => "0"))),
  "a form with fields whose names are 15 MB": () =>
    ask(
      "elicitation/create",
      form(
        object(
          90,
          () => `{"type":"string"}`,
          (index) => `${index}${HIDDEN.repeat(50_000)}`,
        ),
      ),
    ),
  "a form with 900,000 options": () =>
    ask("elicitation/create", form(`{"a":{"type":"string","enum":${list(900_000, () => '"a"')}}}`)),
  "a form with options of 15 MB": () =>
    ask(
      "elicitation/create",
      form(`{"a":{"type":"string","enum":${list(450, () => text(HIDDEN, 30_000))}}}`),
    ),
  "a form with 900,000 required names": () =>
    ask("elicitation/create", form("{}", `,"required":${list(900_000, () => '"a"')}`)),
  "a form with a default of 900,000 numbers": () =>
    ask("elicitation/create", form(`{"a":{"type":"string","default":${list(900_000, () => "0")}}}`)),
  "a page to visit with an address of 15 MB": () =>
    ask("elicitation/create", `{"mode":"url","message":"m","url":"http://a/${text(HIDDEN).slice(1)}}`),
  "sampling with 200,000 messages": () =>
    ask(
      "sampling/createMessage",
      `{"maxTokens":1,"messages":${list(150_000, () => `{"role":"user","content":{"type":"text","text":"a"}}`)}}`,
    ),
  "sampling with 900,000 stop sequences": () =>
    ask(
      "sampling/createMessage",
      `{"maxTokens":1,"messages":[],"stopSequences":${list(900_000, () => '"a"')}}`,
    ),
  "capabilities with 240,000 names": () => ({
    on: "initialize",
    result: `{"protocolVersion":"2025-11-25","serverInfo":{"name":"s"},"capabilities":${object(
      240_000,
      () => "{}",
      (index) => `k${(index * 7919) % 1_000_003}`,
    )}}`,
  }),
  "capabilities with names of 15 MB": () => ({
    on: "initialize",
    result: `{"protocolVersion":"2025-11-25","serverInfo":{"name":"s"},"capabilities":{"tools":{},${text(HIDDEN)}:{}}}`,
  }),
  "a server name of 15 MB": () => initialized(`"serverInfo":{"name":${text(HIDDEN)},"version":"1"}`),
  "instructions of 15 MB": () => initialized(`"instructions":${text(HIDDEN)}`),
  "a protocol version of 15 MB": () => ({ on: "initialize", result: `{"protocolVersion":${text(HIDDEN)}}` }),
  "a prompt with 300,000 messages": () => ({
    on: "prompts/get",
    result: `{"messages":${list(150_000, () => `{"role":"user","content":{"type":"text","text":"a"}}`)}}`,
  }),
  "a prompt with one message of 900,000 pieces": () => ({
    on: "prompts/get",
    result: `{"messages":[{"role":"user","content":${list(900_000, () => "0")}}]}`,
  }),
  "a prompt of 400,000 unknown parts": () => ({
    on: "prompts/get",
    result: `{"messages":[{"role":"user","content":{"a":${list(400_000, () => "{}")}}}]}`,
  }),
  "a prompt nested deeply": () => ({
    on: "prompts/get",
    result: `{"messages":[{"role":"user","content":{"a":${deep(400_000)}}}]}`,
  }),
  "a resource with 300,000 pieces": () => ({
    on: "resources/read",
    result: `{"contents":${list(200_000, () => `{"uri":"a","text":"b"}`)}}`,
  }),
  "a resource of 15 MB": () => ({
    on: "resources/read",
    result: `{"contents":[{"uri":"a","text":${text(HIDDEN)}}]}`,
  }),
  "a completion with 900,000 values": () => ({
    on: "completion/complete",
    result: `{"completion":{"values":${list(900_000, () => '"a"')}}}`,
  }),
  "resource lists with 200,000 entries": () => ({
    on: "resources/list",
    result: `{"resources":${list(200_000, (index) => `{"uri":"r://${index}","name":"n"}`)}}`,
  }),
  "prompts with 900,000 arguments": () => ({
    on: "prompts/list",
    result: `{"prompts":[{"name":"p","arguments":${list(400_000, () => "{}")}}]}`,
  }),
  "modern capabilities with 240,000 names": () => ({
    era: "modern",
    on: "server/discover",
    result: `{"supportedVersions":["2026-07-28"],"capabilities":${object(240_000, () => "{}")}}`,
  }),
  "900,000 supported versions": () => ({
    era: "modern",
    on: "server/discover",
    result: `{"supportedVersions":${list(900_000, () => '"a"')}}`,
  }),
  "modern instructions of 15 MB": () => discovered(`"instructions":${text(HIDDEN)}`),
  "200,000 input requests": () =>
    modern("tools/call", `{"resultType":"input_required","inputRequests":${object(200_000, () => "0")}}`),
  "an input request with a form of 15 MB": () =>
    modern(
      "tools/call",
      `{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":${form(
        `{"a":{"type":"string","enum":${list(450, () => text(HIDDEN, 30_000))}}}`,
      )}}}}`,
    ),
  "an input request with a key of 15 MB": () =>
    modern(
      "tools/call",
      `{"resultType":"input_required","inputRequests":{${text(HIDDEN)}:{"method":"roots/list"}}}`,
    ),
  "a request state of 15 MB": () =>
    modern("tools/call", `{"resultType":"input_required","requestState":${text(HIDDEN)}}`),
  "a request state with 900,000 numbers": () =>
    modern("tools/call", `{"resultType":"input_required","requestState":${list(900_000, () => "0")}}`),
  "a result type of 15 MB": () => modern("tools/call", `{"resultType":${text(HIDDEN)}}`),
  "a task with a name of 15 MB": () =>
    modern(
      "tools/call",
      `{"resultType":"task","taskId":${text(HIDDEN)},"status":"working","pollIntervalMs":50}`,
    ),
  "a task with a status message of 15 MB": () =>
    modern(
      "tools/call",
      `{"resultType":"task","taskId":"t","status":"cancelled","statusMessage":${text(HIDDEN)}}`,
    ),
  "a task with 200,000 questions": () =>
    modern(
      "tools/call",
      `{"resultType":"task","taskId":"t","status":"input_required","inputRequests":${object(200_000, () => "0")}}`,
    ),
  "a task that failed with 15 MB": () =>
    modern(
      "tools/call",
      `{"resultType":"task","taskId":"t","status":"failed","error":{"code":1,"message":${text(HIDDEN)}}}`,
    ),
};
