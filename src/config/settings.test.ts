import { describe, expect, test } from "vitest";
import { createFakePorts } from "../../test/support/fake-ports.ts";
import { createMemoryFiles } from "../testing/index.ts";
import { DEFAULT_SETTINGS, loadSettings, type Settings } from "./settings.ts";

const FILE = "/home/me/.plugboard/settings.json";
const PLACES = { userConfig: "/c", settings: FILE, state: "/state", cache: "/cache" };

function load(text: string | undefined, given: Partial<Settings> = {}) {
  const files = createMemoryFiles(new Map(text === undefined ? [] : [[FILE, text]]));
  return loadSettings(createFakePorts(files), PLACES, given, ["cursor", "codex", "vscode"]);
}

describe("settings", () => {
  test("have defaults without a file", async () => {
    expect(await load(undefined)).toEqual({ settings: DEFAULT_SETTINGS, problems: [] });
  });

  test("default to timeouts of thirty seconds and twenty parallel starts", () => {
    const { timeoutMs, startupTimeoutMs, parallelStarts } = DEFAULT_SETTINGS;
    expect({ timeoutMs, startupTimeoutMs, parallelStarts }).toEqual({
      timeoutMs: 30_000,
      startupTimeoutMs: 30_000,
      parallelStarts: 20,
    });
  });

  test("are read from the file, but the program's settings take precedence", async () => {
    const text = `{
      // mine
      "timeoutMs": 5000, "parallelStarts": 3, "toolsTtlMs": 1,
      "providers": { "cursor": false, "codex": true },
    }`;
    expect(await load(text, { parallelStarts: 4 })).toEqual({
      settings: {
        ...DEFAULT_SETTINGS,
        timeoutMs: 5000,
        toolsTtlMs: 1,
        parallelStarts: 4,
        providersOff: ["cursor"],
      },
      problems: [],
    });
  });

  test.each([
    ["text", '"fast"'],
    ["null", "null"],
    ["zero", "0"],
    ["less than one", "0.5"],
    ["negative", "-1"],
  ])("with invalid values get their default, with a warning: %s", async (_, value) => {
    const { settings, problems } = await load(`{\n  "parallelStarts": ${value}\n}`);
    expect({ parallelStarts: settings.parallelStarts, problems }).toEqual({
      parallelStarts: 20,
      problems: [
        {
          code: "settings-invalid",
          severity: "warning",
          message: `${FILE}:2:3 "parallelStarts" must be a number of at least 1; using 20`,
          file: FILE,
          line: 2,
          column: 3,
        },
      ],
    });
  });

  test.each([
    [
      '{ "providers": { "cusror": false } }',
      `${FILE}:1:18 unknown provider "cusror"; did you mean "cursor"?`,
    ],
    [
      '{ "providerOrder": ["codex", "emacs"] }',
      `${FILE}:1:30 unknown provider "emacs"; known providers: codex, cursor, vscode`,
    ],
    [
      '{ "providers": { "vscode": "off" } }',
      `${FILE}:1:18 "vscode" in "providers" must be true or false; it is ignored`,
    ],
    ['{ "providerOrder": [5] }', `${FILE}:1:21 "providerOrder" must contain strings; this item is ignored`],
    ['{ "timeoutMS": 5 }', `${FILE}:1:3 "timeoutMS" is not a known setting; did you mean "timeoutMs"?`],
    ['{ "colour": "blue" }', `${FILE}:1:3 "colour" is not a known setting`],
  ])("that are invalid, as in %s, are reported with their position", async (text, message) => {
    const { problems } = await load(text);
    expect(problems).toMatchObject([{ code: "settings-invalid", severity: "warning", message }]);
  });

  test("can contain a schema URL", async () => {
    expect((await load('{ "$schema": "https://example.dev/settings.json" }')).problems).toEqual([]);
  });

  test("limit timeouts to the longest timer", async () => {
    const { settings } = await load('{ "timeoutMs": 1e999, "startupTimeoutMs": 9999999999 }');
    expect([settings.timeoutMs, settings.startupTimeoutMs]).toEqual([2_147_483_647, 2_147_483_647]);
  });

  test("contain the chat's model and model providers, but no keys", async () => {
    const { settings, problems } = await load(`{
      "model": "vllm/qwen",
      "modelProviders": {
        "vllm": { "baseURL": "http://gpu:8000/v1", "apiKey": "env:VLLM_KEY" },
        "bad": { "baseURL": "gpu:8000", "apiKey": "sk-123" }, "worse": 5
      }
    }`);
    const { model, modelProviders } = settings;
    expect({ model, modelProviders, messages: problems.map(({ message }) => message) }).toEqual({
      model: "vllm/qwen",
      modelProviders: { vllm: { baseURL: "http://gpu:8000/v1", apiKey: "env:VLLM_KEY" }, bad: {}, worse: {} },
      messages: [
        expect.stringContaining(
          '"bad" in "modelProviders": "baseURL" must be an http or https URL; it is ignored',
        ),
        expect.stringContaining('"apiKey" must be "env:NAME" or "keychain:NAME", not the key itself'),
        expect.stringContaining('"worse" in "modelProviders": it must be an object; it is ignored'),
      ],
    });
    expect(JSON.stringify(problems)).not.toContain("sk-123");
  });

  test("report a mistyped field of a model provider", async () => {
    const { problems } = await load('{ "modelProviders": { "work": { "baseUrl": "http://gpu:8000/v1" } } }');
    expect(problems.map(({ message }) => message)).toEqual([
      `${FILE}:1:33 "work" in "modelProviders": "baseUrl" is not a known setting; did you mean "baseURL"?`,
    ]);
  });

  test.each([
    ['{ "model": 5 }', `${FILE}:1:3 "model" must be a string such as "ollama/qwen3"; it is ignored`],
    [
      '{ "modelProviders": [] }',
      `${FILE}:1:3 "modelProviders" must be an object of { "baseURL", "apiKey" }; it is ignored`,
    ],
    [
      '{ "providers": ["cursor"] }',
      `${FILE}:1:3 "providers" must be an object such as { "cursor": false }; it is ignored`,
    ],
    [
      '{ "providerOrder": "cursor" }',
      `${FILE}:1:3 "providerOrder" must be a list of provider ids; it is ignored`,
    ],
    ["[]", `${FILE}:1:1 must contain an object`],
    ["{", `${FILE}:1:2 ends before the closing } (is it incomplete?)`],
    ["", `${FILE}:1:1 is empty`],
  ])("in %j are the defaults, with one message", async (text, message) => {
    const { settings, problems } = await load(text);
    expect({ settings, messages: problems.map((problem) => problem.message) }).toEqual({
      settings: DEFAULT_SETTINGS,
      messages: [message],
    });
  });
});
