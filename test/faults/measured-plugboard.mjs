/** The built library, used like any program would. */
import { createHost } from "../../dist/index.js";
import { HURRIED_CLOCK } from "./exercise.mjs";

export function open({ home, good, faulty, hurry }) {
  const env = { HOME: home, PATH: process.env.PATH };
  const ports = hurry ? { clock: HURRIED_CLOCK } : {};
  return createHost({ cwd: home, env, discover: false, servers: { good, faulty }, ports });
}
