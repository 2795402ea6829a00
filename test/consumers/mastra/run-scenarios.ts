/** Runs scenarios with Mastra in the Node that it needs. The parent sends the scenarios' names and receives their errors. */

import type { ScenarioName } from "../../adapters/scenarios/driver.ts";
import { runScenario } from "../../adapters/scenarios/run-scenario.ts";
import { openWorld } from "../../adapters/scenarios/world.ts";
import { mastra } from "./driver.ts";

const world = await openWorld();
process.on("message", (name: ScenarioName | "end") => {
  if (name === "end") void world[Symbol.asyncDispose]().then(() => process.disconnect());
  else
    runScenario(name, mastra, world).then(
      () => process.send?.({ name }),
      (error: unknown) =>
        process.send?.({ name, error: error instanceof Error ? error.stack : String(error) }),
    );
});
process.send?.({ name: "ready" });
