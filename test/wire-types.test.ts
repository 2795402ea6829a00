import type * as sdk from "@modelcontextprotocol/client";
import { expectTypeOf, test } from "vitest";
import type {
  CallToolParams,
  ClientCapabilities,
  ElicitationResult,
  InitializeParams,
  LogParams,
  MediaContent,
  ProgressParams,
  PromptDefinition,
  ResourceDefinition,
  RootsResult,
  SamplingResult,
  ServerLogLevel,
  TextContent,
  ToolAnnotations,
  ToolDefinition,
  ToolProgress,
  ToolResultContent,
  ToolUseContent,
} from "../src/model/index.ts";

/** Our types are read-only; the SDK's are not. */
type Writable<T> = T extends readonly (infer Item)[]
  ? Writable<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Writable<T[Key]> }
    : T;

/** These are checked by the compiler: a difference is an error of `npm run types`, not of a run. */
test("the SDK accepts what we send", () => {
  expectTypeOf<Writable<ClientCapabilities>>().toExtend<sdk.ClientCapabilities>();
  expectTypeOf<Writable<InitializeParams>>().toExtend<sdk.InitializeRequestParams>();
  expectTypeOf<Writable<CallToolParams>>().toExtend<sdk.CallToolRequestParams>();
  expectTypeOf<Writable<ElicitationResult>>().toExtend<sdk.ElicitResult>();
  expectTypeOf<Writable<RootsResult>>().toExtend<sdk.ListRootsResult>();
  expectTypeOf<Writable<TextContent>>().toExtend<sdk.TextContent>();
  expectTypeOf<Writable<ToolUseContent>>().toExtend<sdk.ToolUseContent>();
  expectTypeOf<SamplingResult["role"]>().toExtend<sdk.CreateMessageResult["role"]>();
  expectTypeOf<SamplingResult["model"]>().toExtend<sdk.CreateMessageResult["model"]>();
  expectTypeOf<ServerLogLevel>().toEqualTypeOf<sdk.LoggingLevel>();
});

test("we accept what the SDK sends", () => {
  expectTypeOf<sdk.TextContent>().toExtend<TextContent>();
  expectTypeOf<sdk.ImageContent>().toExtend<Omit<MediaContent, never>>();
  expectTypeOf<sdk.AudioContent>().toExtend<Omit<MediaContent, never>>();
  expectTypeOf<sdk.ToolUseContent["name"]>().toExtend<ToolUseContent["name"]>();
  expectTypeOf<sdk.ToolResultContent["toolUseId"]>().toExtend<ToolResultContent["toolUseId"]>();
  expectTypeOf<sdk.ProgressNotificationParams["progress"]>().toExtend<ProgressParams["progress"]>();
  expectTypeOf<sdk.ProgressNotificationParams["progressToken"]>().toExtend<ProgressParams["progressToken"]>();
  expectTypeOf<sdk.LoggingMessageNotificationParams["level"]>().toExtend<LogParams["level"]>();
  expectTypeOf<keyof ToolProgress>().toExtend<keyof sdk.Progress>();
});

test("our definitions contain nothing that the SDK's lack", () => {
  // MCP Apps have the visibility in `_meta.ui`.
  expectTypeOf<Exclude<keyof ToolDefinition, "visibility">>().toExtend<keyof sdk.Tool>();
  expectTypeOf<keyof ToolAnnotations>().toExtend<keyof sdk.ToolAnnotations>();
  expectTypeOf<keyof ResourceDefinition>().toExtend<keyof sdk.Resource>();
  expectTypeOf<keyof PromptDefinition>().toExtend<keyof sdk.Prompt>();
});
