import { expect, test } from "vitest";
import { failureOf } from "../flow/host-in.ts";
import { gatewayIn } from "../support/gateway-clients.ts";
import { createSandbox } from "../support/sandbox.ts";

test("middleware that would not run is refused", async () => {
  await using sandbox = await createSandbox();
  const options: object = { middleware: [async () => ({})] }; // types do not stop every program
  expect(await failureOf(gatewayIn(sandbox, options))).toMatchObject({
    code: "USAGE_INVALID",
    message: "A gateway does not support middleware yet.",
  });
});
