import { type Content, GoogleGenAI } from "@google/genai";
import { googleTools } from "../../../../src/adapters/google/index.ts";
import type { Driver } from "../../../adapters/scenarios/driver.ts";

const model = "gemini-3-pro";
const clientAt = (baseUrl: string): GoogleGenAI =>
  new GoogleGenAI({ apiKey: "test", vertexai: false, httpOptions: { baseUrl } });

export const googleGenAi: Driver = {
  name: "Google Gen AI",
  asks: "host",
  follows: "next request",
  async run({ session, url, signal, isStreamed }) {
    const client = clientAt(url);
    const tools = googleTools(session);
    const contents: Content[] = [{ role: "user", parts: [{ text: "go" }] }];
    for (;;) {
      const config = { tools: [await tools.definitions()], abortSignal: signal };
      const request = { model, contents, config };
      const chunks: string[] = [];
      const parts: Content["parts"] = [];
      const responses = isStreamed
        ? await client.models.generateContentStream(request)
        : [await client.models.generateContent(request)];
      for await (const { candidates } of responses) {
        for (const part of candidates?.[0]?.content?.parts ?? []) {
          parts.push(part);
          if (part.text !== undefined) chunks.push(part.text);
        }
      }
      const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
      if (calls.length === 0) return chunks;
      contents.push({ role: "model", parts });
      contents.push({ role: "user", parts: await tools.run(calls, { signal }) });
    }
  },
};

export const googleAutomatic: Driver = {
  name: "Google Gen AI, automatic calls",
  asks: "host",
  follows: "next run",
  async run({ session, url, signal, isStreamed }) {
    const config = { tools: [googleTools(session).callable({ signal })], abortSignal: signal };
    const request = { model, contents: "go", config };
    const chunks: string[] = [];
    const responses = isStreamed
      ? await clientAt(url).models.generateContentStream(request)
      : [await clientAt(url).models.generateContent(request)];
    for await (const { text } of responses) if (text !== undefined) chunks.push(text);
    return chunks;
  },
};
