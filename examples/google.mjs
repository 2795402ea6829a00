import { GoogleGenAI } from "@google/genai";
import { createHost } from "plugboard";
import { googleTools } from "plugboard/google";

const client = new GoogleGenAI({});
const host = await createHost();
try {
  const tools = [googleTools(host.session()).callable()];
  const request = { model: "gemini-3-pro", contents: process.argv[2], config: { tools } };
  const { text } = await client.models.generateContent(request);
  console.log(text);
} finally {
  await host.close();
}
