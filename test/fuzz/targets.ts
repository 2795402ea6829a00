import { isDeepStrictEqual } from "node:util";
import { parseChallenge } from "../../src/auth/discovery/challenge.ts";
import { checkValue } from "../../src/bridge/check/check-value.ts";
import { inspectSchema } from "../../src/bridge/schema/inspect-schema.ts";
import { ToolNames } from "../../src/bridge/tool-name.ts";
import { createEventStream, type StreamEvent } from "../../src/connection/http/event-stream.ts";
import { createLineFramer } from "../../src/connection/line-framer.ts";
import { setTomlTable } from "../../src/documents/edit-toml.lazy.ts";
import { memberAt, parseJson, removeJsonMember, setJsonMember } from "../../src/documents/index.ts";
import { parseToml } from "../../src/documents/parse-toml.lazy.ts";
import { parseYaml } from "../../src/documents/parse-yaml.lazy.ts";
import { parsePlainYaml } from "../../src/documents/plain-yaml.lazy.ts";
import { scanToml } from "../../src/documents/scan-toml.ts";
import { isJsonObject, type JsonObject, type JsonValue, safeLine, safeText } from "../../src/model/index.ts";
import { inChunks, type Random, type Soil } from "./grow-text.ts";
import { eventsOf } from "./read-events.ts";
import { linesOf, spelledOut, spoilBytes, withComments } from "./references.ts";

/** A parser of untrusted input. */
export interface Target extends Soil {
  readonly name: string;
  /** Returns what is wrong with how the text was read, or nothing. */
  complaint(text: string, random: Random): string | undefined;
}

const words = (text: string): string[] => text.split(" ");

const encoder = new TextEncoder();
const LIMIT = 64;

const lines: Target = {
  name: "lines",
  samples: ['{"jsonrpc":"2.0","id":1}\n', "Listening…\r\n{}\n", `${"x".repeat(70)}\n{}\n`],
  pieces: ["\n", "\r\n", "\r", "{}", "é", "\u{1f600}", "x".repeat(40), "\0"],
  complaint(text, random) {
    const bytes = spoilBytes(encoder.encode(text), random);
    const read: string[] = [];
    let tooLong = 0;
    const push = createLineFramer({
      limit: LIMIT,
      onLine: (line) => void read.push(line),
      onTooLong: () => void (tooLong += 1),
    });
    for (const chunk of inChunks(bytes, random)) push(chunk);
    const whole = linesOf(bytes);
    const short = whole.filter(({ length }) => length <= LIMIT);
    const wanted = short.map((line) => line.text);
    if (!isDeepStrictEqual(read, wanted)) return `read ${JSON.stringify(read)} for ${JSON.stringify(wanted)}`;
    return tooLong === whole.length - short.length ? undefined : `${tooLong} lines were too long`;
  },
};

const events: Target = {
  name: "event streams",
  samples: [
    'event: message\nid: 1\ndata: {"jsonrpc":"2.0"}\n\n',
    "data: a\ndata: b\r\n\r\nretry: 20\n\n",
    ": ping\n\nid\n\ndata:c\n\n",
  ],
  pieces: words("data data: event: event id: id retry: retry:7 : :x a b message é").concat(
    "\n",
    "\n\n",
    "\r",
    "\r\n",
    " ",
    "\0",
    "\ufeff",
  ),
  complaint(text, random) {
    const bytes = spoilBytes(encoder.encode(text), random);
    const read: StreamEvent[] = [];
    const push = createEventStream({
      limit: 1024,
      onEvent: (event) => void read.push(event),
      onTooLarge: () => {},
    });
    for (const chunk of inChunks(bytes, random)) push(chunk);
    // An id without data is reported as an empty event.
    const counts = ({ event, data }: StreamEvent): boolean => event !== "id" || data !== "";
    const wanted = eventsOf(new TextDecoder("utf-8").decode(bytes)).filter(counts);
    const said = read.filter(counts);
    return isDeepStrictEqual(said, wanted)
      ? undefined
      : `read ${JSON.stringify(said)} for ${JSON.stringify(wanted)}`;
  },
};

const json: Target = {
  name: "JSON",
  samples: [
    '{"mcpServers":{"a":{"command":"x","args":["-y",1,true,null]}}}',
    '{\n  // mine\n  "a": [1, 2.5e3, -0],\n  "b": "\\u00e9\\n",\n}\n',
    '[{"a":{}}, [], "", {"": 0}]',
  ],
  pieces: words('{ } [ ] , : " // /* */ \\ \\u00e9 "a" "a": "__proto__": 1 -1 0 01 1e5 . true null nul # \''),
  complaint(text, random) {
    const { value, problems, at } = parseJson(text);
    if (value === undefined && problems.length === 0) return "no value and no problem";
    const strict = strictly(text);
    if (strict !== undefined) {
      const commented = withComments(text, random);
      if (JSON.stringify(parseJson(commented).value) !== JSON.stringify(value))
        return `reads ${JSON.stringify(commented)} otherwise`;
    }
    if (strict !== undefined) {
      if (value === undefined) return `refuses what JSON.parse reads: ${problems[0]?.message}`;
      if (JSON.stringify(strict.value) !== JSON.stringify(value))
        return "reads another value than JSON.parse";
    }
    if (value !== undefined && at([]) === undefined && isJsonObject(value)) return "has no place";
    if (!isJsonObject(value) || problems.some(({ code }) => code === "duplicate-key")) return undefined;
    const edited = setJsonMember(text, ["added", "here"], true);
    const before = isJsonObject(value["added"]) ? value["added"] : {};
    const wanted = { ...value, added: { ...before, here: true } };
    if (!isDeepStrictEqual(plain(parseJson(edited).value), plain(wanted)))
      return "an edit changed something else";
    const { added: _, ...without } = value;
    return isDeepStrictEqual(plain(parseJson(removeJsonMember(edited, ["added"])).value), plain(without))
      ? undefined
      : "a removal changed something else";
  },
};

const toml: Target = {
  name: "TOML",
  samples: [
    '[mcp_servers.a]\ncommand = "x"\nargs = ["-y", \'b\']\nenv = { A = "1" }\n',
    'a.b = 1\n[[list]]\nx = """\ntext"""\n[list.sub]\ny = 1979-05-27\n# end',
  ],
  pieces: words(
    "[a] [a.b] [[a]] a = b.c = \"x\" 'y' \"\"\" ''' [1,2] { a = 1 } # = . , true 1 0x1f inf 07:32:00 __proto__",
  ).concat("\n", " "),
  complaint(text) {
    const { value, problems, at } = parseToml(text);
    if (value === undefined && problems.length === 0) return "no value and no problem";
    if (!isJsonObject(value)) return undefined;
    const lines = text.split("\n");
    for (const key of Object.keys(value)) {
      const { line, column } = at([key]) ?? { line: 1, column: 1 };
      if (lines[line - 1]?.[column - 1] === undefined) return `${key} has a place outside of the text`;
    }
    for (const { kind, table, key } of scanToml(text) ?? []) {
      const path = [...table, ...key];
      const isInList = path.some((_, index) => Array.isArray(memberAt(value, path.slice(0, index))));
      if (!isInList && memberAt(value, path) === undefined) return `${kind} ${path.join(".")} is not there`;
    }
    return complaintAboutTomlEdit(text, value);
  },
};

/** A table that was set is present, everything else is unchanged, and text that cannot be edited is refused. */
function complaintAboutTomlEdit(text: string, value: JsonObject): string | undefined {
  for (const path of [
    ["added", "here"],
    ["mcp_servers", "a"],
  ]) {
    let edited: string;
    try {
      edited = setTomlTable(text, path, { command: "y" });
    } catch (error) {
      if (error instanceof Error && /could not be edited/.test(error.message)) continue;
      throw error;
    }
    const [table = "", name = ""] = path;
    const before = value[table];
    const wanted = { ...value, [table]: { ...(isJsonObject(before) && before), [name]: { command: "y" } } };
    if (!isDeepStrictEqual(plain(parseToml(edited).value), plain(wanted))) return `an edit made ${edited}`;
    if (memberAt(value, path) === undefined && !edited.startsWith(text.trimEnd()))
      return `an edit changed what was there to ${edited}`;
  }
  return undefined;
}

const yaml: Target = {
  name: "YAML",
  samples: [
    "mcpServers:\n  a:\n    command: x\n    args:\n      - -y\n      - 'b'\n    env: {A: \"1\"}\n",
    "# mine\nextensions:\n- name: a\n  enabled: true\n- name: b\n  timeout: 300\n",
  ],
  pieces: words(
    "a: b: - -- --- ... : ? | > & * ! % @ ` # 'x' \"y\" [ ] { } , 1 1.5 0x1f true null ~ yes 2024-01-01",
  ).concat("\n", "\n  ", "\n    ", " ", "  "),
  complaint(text) {
    const { value, problems } = parseYaml(text);
    if (value === undefined && problems.length === 0) return "no value and no problem";
    const plainly = parsePlainYaml(text);
    if (plainly?.value === undefined) return undefined; // the library reads it
    return isDeepStrictEqual(plain(plainly.value), plain(value))
      ? undefined
      : "reads another value than the library";
  },
};

/** Every character that a token may have. */
const TOKEN = "!#$%&'*+.^_`|~aZ09-";

const challenges: Target = {
  name: "challenges",
  samples: [
    'Bearer resource_metadata="https://a.example/.well-known/oauth-protected-resource", scope="read write"',
    'Basic realm="a", Bearer error="invalid_token", error_description="no \\"more\\"", DPoP algs="ES256"',
  ],
  pieces: words('Bearer DPoP Basic realm= scope= error= resource_metadata= "a" "a\\"b" a , = " \\ ; : é'),
  complaint(text) {
    const quoted = text.replace(/["\\]/g, "\\$&").replace(/[\r\n]/g, " ");
    const said = `Basic realm="${quoted}", Bearer error=${TOKEN}, scope="${quoted}", Other a="Bearer scope=x"`;
    const heard = said.length > 16_384 ? undefined : parseChallenge(said);
    const scope = text.replace(/[\r\n]/g, " ").trim();
    if (heard?.error !== TOKEN || (heard.scope ?? "") !== scope || heard.resourceMetadata !== undefined)
      return `heard ${JSON.stringify(heard)} in ${JSON.stringify(said)}`;
    const found = parseChallenge(text);
    if (found === undefined)
      return /^\s*bearer(?!\s*=)(?=[\s,]|$)/i.test(text) && text.length < 1024
        ? "misses a Bearer challenge"
        : undefined;
    const again = parseChallenge(
      ["resourceMetadata", "scope", "error"]
        .flatMap((key) => {
          const value = found[key as "scope"];
          const name = key === "resourceMetadata" ? "resource_metadata" : key;
          return value === undefined ? [] : [`${name}="${value.replace(/["\\]/g, "\\$&")}"`];
        })
        .join(", ")
        .replace(/^/, `${found.dpop ? "DPoP" : "Bearer"} `),
    );
    return isDeepStrictEqual(again, found)
      ? undefined
      : `${JSON.stringify(found)} became ${JSON.stringify(again)}`;
  },
};

const schemas: Target = {
  name: "schemas",
  samples: [
    '{"type":"object","properties":{"a":{"type":"string","pattern":"^a+$"}},"required":["a"]}',
    '{"type":"object","properties":{"a":{"$ref":"#/$defs/b"}},"$defs":{"b":{"anyOf":[{"type":"null"},{"$ref":"#/$defs/b"}]}}}',
    '{"type":["object","null"],"additionalProperties":{"enum":[1,"a",null]},"minProperties":1,"not":{"required":["b"]}}',
  ],
  pieces: words(
    '{ } [ ] , "type": "object" "properties": "a": "$ref": "#" "#/a" "anyOf": "allOf": "not": "items": "enum": "required": "pattern": "(a+)+$" "minimum": 1 -1 null true "minItems": "$defs": "prefixItems":',
  ),
  complaint(text, random) {
    const schema = strictly(text)?.value;
    if (!isJsonObject(schema)) return undefined;
    const { trouble } = inspectSchema(schema);
    if (trouble !== undefined) return trouble.trim() === "" ? "a trouble without words" : undefined;
    const value: JsonValue = random() < 0.5 ? { a: "aaaa", b: [1, { a: null }] } : { a: { a: { a: {} } } };
    const complaints = checkValue(value, schema);
    if (complaints.length > 10 || complaints.some((one) => one.length >= 4_000))
      return `${complaints.length} complaints, or endless ones`;
    if (text.includes("$ref")) return undefined; // which would refer to another place inside another schema
    const fits = complaints.length === 0;
    const same = [{ allOf: [schema, {}] }, { anyOf: [false, schema] }, { not: { not: schema } }];
    const other = same.find((one) => (checkValue(value, one).length === 0) !== fits);
    return (
      other &&
      `${JSON.stringify(value)} ${fits ? "fits" : "does not fit"}, unlike in ${JSON.stringify(other)}`
    );
  },
};

const STYLES = ["seeds", "claude", "plain"] as const;

const names: Target = {
  name: "tool names",
  samples: ["github search_issues", "my-server read2", "日本 語", "a1 a1_a1"],
  pieces: [
    "a",
    "A",
    "_",
    "-",
    ".",
    " ",
    "1",
    "語",
    "x".repeat(70),
    "mcp_",
    "__",
    "\0",
    "\u{1f600}",
    "\ud83d",
  ],
  complaint(text, random) {
    const cut = Math.floor(random() * (text.length + 1));
    const tools = [
      { server: text.slice(0, cut), tool: text.slice(cut) },
      { server: text.slice(0, cut).toUpperCase(), tool: text.slice(cut) },
      { server: text.slice(0, cut), tool: `${text.slice(cut)}1` },
    ];
    const distinct = [...new Map(tools.map((tool) => [JSON.stringify(tool), tool])).values()];
    const map = new ToolNames(STYLES[Math.floor(random() * STYLES.length)]);
    map.assign(distinct.slice(0, 1));
    const first = map.nameOf(distinct[0] ?? { server: "", tool: "" });
    map.assign(distinct);
    const given = distinct.map((tool) => map.nameOf(tool));
    if (given[0] !== first) return `${first} became ${given[0]}`;
    if (new Set(given.map((name) => name.toLowerCase())).size < given.length)
      return `${given.join(", ")} differ in case alone`;
    if (new Set(given).size < given.length) return `two tools are called ${given.join(", ")}`;
    return given.every(
      (name, index) => /^[a-zA-Z0-9_-]{1,64}$/.test(name) && map.toolOf(name) === distinct[index],
    )
      ? undefined
      : `a name that is none, or leads elsewhere: ${given.join(", ")}`;
  },
};

const escapes: Target = {
  name: "escapes",
  samples: [
    "\u001b[31mred\u001b[0m",
    "\u001b]8;;http://x\u0007link",
    "a\u202eb\u2066c",
    "\u{e0041}\u200b\u3164",
  ],
  pieces: [
    "\u001b[2J",
    "\u001b]0;",
    "\u0007",
    "\u009b",
    "\u202e",
    "\u200d",
    "\ufe0f",
    "\u00ad",
    "\u2028",
    "\ud800",
    "\r",
    "a",
    "é",
    "\u{1f468}\u200d\u{1f469}",
  ],
  complaint(text) {
    const safe = safeText(text);
    if (safe !== safeText(safe)) return "another round changes it again";
    if (safe !== spelledOut(text)) return `${JSON.stringify(safe)} for ${JSON.stringify(spelledOut(text))}`;
    const line = safeLine(text);
    if (/[\n\t]/.test(line)) return "a line that is none";
    return line === safeLine(line) ? undefined : "another round changes the line again";
  },
};

export const TARGETS: readonly Target[] = [
  lines,
  events,
  json,
  toml,
  yaml,
  challenges,
  schemas,
  names,
  escapes,
];

function strictly(text: string): { readonly value: JsonValue } | undefined {
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch {
    return undefined;
  }
}

/** Ignores prototypes, and the difference between 0 and -0. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
