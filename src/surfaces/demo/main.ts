import { serveLines } from "../../testing/index.ts";
import { demo } from "./script.ts";

await serveLines(demo, process.stdin, process.stdout);
process.exit(0);
