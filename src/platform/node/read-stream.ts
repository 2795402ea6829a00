import type { Readable } from "node:stream";

/** Reads a stream. While a promise that the listener returned is pending, the stream is paused, so that its sender has to wait. */
export function readStream(
  stream: Pick<Readable, "on" | "pause" | "resume">,
  listener: (chunk: Uint8Array) => void | Promise<void>,
): void {
  stream.on("data", (chunk: Uint8Array) => {
    const busy = listener(chunk);
    if (busy === undefined) return;
    stream.pause();
    const resume = (): void => void stream.resume();
    busy.then(resume, resume); // a listener that failed must not stop the stream
  });
}
