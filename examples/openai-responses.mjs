import OpenAI from "openai";
import { createHost } from "plugboard";
import { responsesTools } from "plugboard/openai";

const client = new OpenAI();
const host = await createHost();
try {
  const tools = responsesTools(host.session(), { strict: true });
  const input = [{ role: "user", content: process.argv[2] }];
  let answer;
  do {
    const definitions = await tools.definitions({ waitMs: 30_000 });
    answer = await client.responses.create({ model: "gpt-5.1", input, tools: definitions });
    input.push(...answer.output, ...(await tools.run(answer.output)));
  } while (input.at(-1).type === "function_call_output");
  console.log(answer.output_text);
} finally {
  await host.close();
}
