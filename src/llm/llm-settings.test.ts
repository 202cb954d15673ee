import * as v from "valibot";
import { expect, test } from "vitest";
import { llmSettingsSchema, readLlmSettings } from "./llm-settings.ts";

test("both spellings are read, and unknown keys are kept", () => {
  const snake = {
    provider: "anthropic",
    base_url: "https://x/v1",
    api_key_env: "KEY",
    max_tokens: 64,
    timeout: "500ms",
    budget: { day_usd: 1, session_tokens: 5, price: { input: 1, output: 5 } },
    region: "eu",
  };
  expect(v.safeParse(llmSettingsSchema(), snake).success).toBe(true);
  expect(readLlmSettings(snake)).toEqual({
    provider: "anthropic",
    baseURL: "https://x/v1",
    apiKeyEnv: "KEY",
    maxTokens: 64,
    timeout: 0.5,
    budget: { dayUsd: 1, sessionTokens: 5, price: { input: 1, output: 5 } },
    more: { region: "eu" },
  });
  expect(readLlmSettings({ baseURL: "u", apiKeyEnv: "K", maxTokens: 1, budget: { dayUsd: 1 } })).toEqual({
    baseURL: "u",
    apiKeyEnv: "K",
    maxTokens: 1,
    budget: { dayUsd: 1 },
    more: {},
  });
});

test.each([
  { provider: "antropic" },
  { model: 7 },
  { timeout: "soon" },
  { max_tokens: -1 },
  { budget: 5 },
  { budget: { day_usd: "1" } },
  { budget: { price: { input: 1 } } },
])("%j is refused", (stated) => {
  expect(v.safeParse(llmSettingsSchema(), stated).success).toBe(false);
});
