import type { Readable } from "node:stream";

/** Reads a stream. Pauses it while a promise returned by the listener is pending, so that the sender has to wait. */
export function readStream(
  stream: Pick<Readable, "on" | "pause" | "resume">,
  listener: (chunk: Uint8Array) => void | Promise<void>,
): void {
  stream.on("data", (chunk: Uint8Array) => {
    const busy = listener(chunk);
    if (busy === undefined) return;
    stream.pause();
    const resume = (): void => void stream.resume();
    busy.then(resume, resume); // a failing listener must not stop the stream
  });
}
