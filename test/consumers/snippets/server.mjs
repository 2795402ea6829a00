/** The server of the snippets as a program. */
import { serveLines } from "plugboard/testing";
import { script } from "./script.mjs";

await serveLines(script, process.stdin, process.stdout);
