import { expect, test } from "vitest";
import { DIALECTS } from "../../../discovery/dialects/dialects.lazy.ts";
import { EXPORT_TOOLS } from "./export-tools.ts";

test("every tool that can be written for is completed", () => {
  expect(EXPORT_TOOLS).toEqual(DIALECTS.map(({ id }) => id));
});
