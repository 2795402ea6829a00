import OpenAI from "openai";
import { createHost } from "plugboard";
import { chatTools } from "plugboard/openai";

const client = new OpenAI(); // for any OpenAI-compatible server: new OpenAI({ baseURL })
const host = await createHost();
try {
  const tools = chatTools(host.session());
  const messages = [{ role: "user", content: process.argv[2] }];
  for (;;) {
    const request = { model: "gpt-5.1", messages, tools: await tools.definitions({ waitMs: 30_000 }) };
    const { choices } = await client.chat.completions.create(request);
    messages.push(choices[0].message, ...(await tools.run(choices[0].message.tool_calls)));
    if (choices[0].finish_reason !== "tool_calls") break;
  }
  console.log(messages.at(-1).content);
} finally {
  await host.close();
}
