// A model that is a script: whatever it is asked first, it calls the client's shell tool with one command; then it repeats
// the tool's result as its answer. Speaks the protocols of OpenAI (chat, responses), Anthropic and Gemini on the loopback.
import { createServer } from "node:http";

const SHELLS = ["bash", "Bash", "run_shell_command", "shell_command", "exec_command", "shell", "local_shell"];

/** Serves until closed; `results` holds every tool result that came back. */
export async function serveModel(command) {
  const results = [];
  const requests = [];
  const server = createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const body = text === "" ? {} : JSON.parse(text);
      requests.push({ url: request.url, body });
      answer(request.url, body, response, command, results);
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${server.address().port}`;
  return { url, results, requests, close: () => server.closeAllConnections() ?? server.close() };
}

function answer(url, body, response, command, results) {
  if (url.includes("/responses")) return responses(body, response, command, results);
  if (url.includes("/chat/completions")) return chat(body, response, command, results);
  if (url.includes("/messages/count_tokens")) return json(response, { input_tokens: 10 });
  if (url.includes("/messages")) return anthropic(body, response, command, results);
  if (url.includes(":countTokens")) return json(response, { totalTokens: 10 });
  if (url.includes("enerateContent")) return gemini(url, body, response, command, results);
  return json(response, { data: [], models: [] });
}

function json(response, value) {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

function events(response, list, named) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of list) {
    if (named) response.write(`event: ${event.type}\n`);
    response.write(`data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`);
  }
  response.end();
}

/** The shell tool among those offered, with the arguments it wants. */
function shellOf(tools, command) {
  const tool = SHELLS.map((name) => tools.find((one) => one.name === name)).find(Boolean);
  if (tool === undefined) return undefined;
  const properties = tool.properties ?? {};
  const field = "cmd" in properties ? "cmd" : "command";
  const value = properties[field]?.type === "array" ? ["bash", "-lc", command] : command;
  return { name: tool.name, input: { [field]: value, ...("description" in properties ? { description: "d" } : {}) } };
}

const said = (text) => `The tool said: ${text}`;

function chat(body, response, command, results) {
  const tools = (body.tools ?? []).map(({ function: f }) => ({ name: f.name, properties: f.parameters?.properties }));
  const result = body.messages?.findLast(({ role }) => role === "tool");
  const shell = shellOf(tools, command);
  const delta =
    result !== undefined || shell === undefined
      ? { role: "assistant", content: said(note(results, result?.content)) }
      : {
          role: "assistant",
          tool_calls: [
            {
              index: 0,
              id: "call_1",
              type: "function",
              function: { name: shell.name, arguments: JSON.stringify(shell.input) },
            },
          ],
        };
  const chunk = (part, finish) => ({
    id: "c1",
    object: "chat.completion.chunk",
    created: 1,
    model: body.model,
    choices: [{ index: 0, delta: part, finish_reason: finish }],
  });
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  if (body.stream !== true)
    return json(response, {
      id: "c1",
      object: "chat.completion",
      created: 1,
      model: body.model,
      usage,
      choices: [{ index: 0, message: delta, finish_reason: "stop" }],
    });
  const finish = delta.tool_calls === undefined ? "stop" : "tool_calls";
  return events(response, [chunk(delta, null), { ...chunk({}, finish), usage }, "[DONE]"]);
}

function responses(body, response, command, results) {
  const tools = (body.tools ?? []).map((tool) => ({
    name: tool.name ?? tool.type,
    properties: tool.parameters?.properties,
  }));
  const result = body.input?.findLast?.(({ type }) => type === "function_call_output");
  const shell = shellOf(tools, command);
  const item =
    result !== undefined || shell === undefined
      ? {
          type: "message",
          role: "assistant",
          id: "m1",
          content: [{ type: "output_text", text: said(note(results, result?.output)) }],
        }
      : {
          type: "function_call",
          id: "f1",
          call_id: "call_1",
          name: shell.name,
          arguments: JSON.stringify(shell.input),
        };
  const usage = {
    input_tokens: 1,
    input_tokens_details: null,
    output_tokens: 1,
    output_tokens_details: null,
    total_tokens: 2,
  };
  return events(
    response,
    [
      { type: "response.created", response: { id: "r1" } },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: { id: "r1", usage } },
    ],
    true,
  );
}

function anthropic(body, response, command, results) {
  const tools = (body.tools ?? []).map(({ name, input_schema: schema }) => ({ name, properties: schema?.properties }));
  const result = body.messages
    ?.flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .findLast(({ type }) => type === "tool_result");
  const shell = shellOf(tools, command);
  const useTool = result === undefined && shell !== undefined;
  const text = useTool ? "" : said(note(results, result?.content));
  const start = useTool ? { type: "tool_use", id: "toolu_1", name: shell.name, input: {} } : { type: "text", text: "" };
  const delta = useTool
    ? { type: "input_json_delta", partial_json: JSON.stringify(shell.input) }
    : { type: "text_delta", text };
  const reason = useTool ? "tool_use" : "end_turn";
  const message = {
    id: "m1",
    type: "message",
    role: "assistant",
    model: body.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  if (body.stream !== true)
    return json(response, {
      ...message,
      content: [useTool ? { ...start, input: shell.input } : { type: "text", text }],
      stop_reason: reason,
    });
  return events(
    response,
    [
      { type: "message_start", message },
      { type: "content_block_start", index: 0, content_block: start },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 1 } },
      { type: "message_stop" },
    ],
    true,
  );
}

function gemini(url, body, response, command, results) {
  const tools = (body.tools ?? []).flatMap(({ functionDeclarations: list = [] }) =>
    list.map((one) => ({ name: one.name, properties: (one.parametersJsonSchema ?? one.parameters)?.properties })),
  );
  const result = body.contents?.flatMap(({ parts = [] }) => parts).findLast(({ functionResponse }) => functionResponse);
  const shell = shellOf(tools, command);
  const part =
    result !== undefined || shell === undefined
      ? { text: said(note(results, result?.functionResponse?.response)) }
      : { functionCall: { name: shell.name, args: shell.input } };
  const value = {
    candidates: [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  };
  return url.includes("stream") ? events(response, [value]) : json(response, value);
}

function note(results, content) {
  if (content === undefined) return "nothing";
  const text = typeof content === "string" ? content : JSON.stringify(content);
  results.push(text);
  return text;
}
