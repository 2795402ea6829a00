import { expect, test } from "vitest";
import type { JsonObject } from "../model/index.ts";
import { readGatewaySettings } from "./gateway-settings.ts";

const read = (gateway: JsonObject[string]) => {
  const problems: string[] = [];
  const settings = readGatewaySettings({ gateway }, (_, message) => void problems.push(message));
  return { settings, problems };
};

test("the gateway's settings are read", () => {
  const gateway = {
    allowHosts: ["host.docker.internal:7420"],
    allowOrigins: ["app://desktop"],
    clients: { "claude-ai": { without: ["elicitation"] } },
  };
  expect(read(gateway)).toEqual({ settings: gateway, problems: [] });
});

test("invalid settings are reported, and valid ones are used", () => {
  const { settings, problems } = read({
    allowHost: [],
    allowHosts: "x",
    allowOrigins: ["a", 1],
    clients: { a: { without: ["elicitation", "everything"] }, b: 1 },
  });
  expect(settings).toEqual({
    allowHosts: [],
    allowOrigins: ["a"],
    clients: { a: { without: ["elicitation"] }, b: { without: [] } },
  });
  expect(problems).toHaveLength(5);
  expect(read([]).problems).toEqual(['"gateway" must be an object']);
});
