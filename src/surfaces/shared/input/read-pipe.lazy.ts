import { Socket } from "node:net";
import type { BoundedInput } from "./bounded-input.ts";

/** Reads a pipe to its end. Uses a socket, because a thread blocked in `read` would keep the process from exiting. */
export async function readPipe(file: number, input: BoundedInput): Promise<string> {
  const pipe = new Socket({ fd: file, readable: true, writable: false });
  for await (const chunk of pipe) input.add(chunk as Buffer);
  return input.text();
}
