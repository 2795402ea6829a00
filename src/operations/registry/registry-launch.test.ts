import { describe, expect, test } from "vitest";
import type { ServerTemplate } from "../../discovery/index.ts";
import type { InputRequest, JsonObject } from "../../model/index.ts";
import type { Workspace } from "../workspace.ts";
import { toLaunch } from "./registry-launch.ts";

const workspace = { environment: { variables: {} } } as Workspace;

function launchOf(fields: JsonObject, inputs: readonly InputRequest[] = []): ReturnType<typeof toLaunch> {
  const template: ServerTemplate = {
    name: "io.github.acme/weather",
    path: ["packages", 0],
    fields: { type: "stdio", command: "npx", args: ["-y", "weather"], ...fields },
    inputs,
  };
  return toLaunch(workspace, template, "npm");
}

describe("a registry input", () => {
  test("has only options that can be shown as they are", () => {
    const options = ["a", "b\u001b[2J", "\u202ec", "x".repeat(1_000), "d e"];
    expect(launchOf({}, [{ id: "mode", required: true, options }])).toMatchObject({
      inputs: [{ id: "mode", options: ["a", "d e"] }],
    });
    const many = Array.from({ length: 5_000 }, (_, index) => `o${index}`);
    expect(launchOf({}, [{ id: "mode", options: many }])).toMatchObject({
      inputs: [{ options: many.slice(0, 100) }],
    });
  });

  test.each(["a\u001b[2J", "\u202eb", "x".repeat(1_000)])("cannot be called %j", (id) => {
    expect(launchOf({}, [{ id, required: true }])).toHaveProperty("reason");
    expect(launchOf({ env: { [id]: "1" } })).toHaveProperty("reason");
  });
});

describe("a variable that can change which code runs", () => {
  test.each(["NODE_OPTIONS", "LD_PRELOAD", "npm_config_registry", "PATH", "PYTHONPATH", "DOCKER_HOST"])(
    "is refused if the registry sets it: %s",
    (name) => {
      const reason = `it sets ${name}, which can change the code that runs`;
      expect(launchOf({ env: { [name]: "/tmp/x" } })).toEqual({ kind: "npm", reason });
      expect(launchOf({ env: { [name]: "{a}/x" } }, [{ id: "a", required: true }])).toHaveProperty("reason");
    },
  );

  test("is accepted if the user types it", () => {
    const input = { id: "KUBECONFIG", required: true };
    expect(launchOf({ env: { KUBECONFIG: "" } }, [input])).toMatchObject({ inputs: [input] });
    expect(launchOf({ env: { KUBECONFIG: "{KUBECONFIG}" } }, [input])).toMatchObject({ inputs: [input] });
  });
});
