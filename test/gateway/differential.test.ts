import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/index.ts";
import { runBoth, scriptOf } from "./differential.ts";

const ERAS = ["legacy", "modern"] as const;
const PAIRS = ERAS.flatMap((client) => ERAS.map((server) => ({ client, server })));
const SCRIPTS = Array.from({ length: 12 }, (_, seed) => scriptOf(seed));

describe.each(PAIRS)("$client client, $server server", ({ client, server }) => {
  test.each(["stdio", "http"] as const)(
    "generated scripts have the same results directly and through the gateway, over %s",
    async (downstream) => {
      const { direct, relayed } = await runBoth(SCRIPTS, { client, server, downstream });
      expect(relayed).toEqual(direct);
      expect(JSON.stringify(direct)).toContain("notifications/progress");
    },
  );
});

const isMethod = (message: JsonObject, method: string): boolean => message["method"] === method;

describe("the comparison notices a gateway", () => {
  let held: JsonObject | undefined;
  const BROKEN: Record<string, (message: JsonObject) => JsonObject[]> = {
    "that drops progress": (message) => (isMethod(message, "notifications/progress") ? [] : [message]),
    "that drops log messages": (message) => (isMethod(message, "notifications/message") ? [] : [message]),
    "that reorders notifications": (message) => {
      if (isMethod(message, "notifications/progress") && held === undefined) {
        held = message;
        return [];
      }
      const before = held === undefined ? [] : [held];
      held = undefined;
      return [message, ...before];
    },
    "that loses the _meta of results": (message) => {
      const { result } = message;
      if (result === undefined || (result as JsonObject)["resultType"] === "input_required") return [message];
      const { _meta: _, ...rest } = result as JsonObject;
      return [{ ...message, result: rest }];
    },
    "that loses the fields of a question": (message) => {
      if (!isMethod(message, "elicitation/create")) return [message];
      const { requestedSchema: _, ...params } = message["params"] as JsonObject;
      return [{ ...message, params }];
    },
    "that changes text": (message) =>
      "result" in message
        ? [JSON.parse(JSON.stringify(message).replaceAll("about", "above")) as JsonObject]
        : [message],
  };
  test.each(Object.keys(BROKEN))("%s", async (name) => {
    held = undefined;
    const spoil = BROKEN[name];
    const route = { client: "legacy", server: "legacy", downstream: "stdio", spoil } as const;
    const { direct, relayed } = await runBoth(SCRIPTS, route);
    expect(relayed).not.toEqual(direct);
  });
});
