import type { Hook } from "../hook/hook.ts";
import { didYouMean } from "../problem/nearest.ts";
import { problems } from "../problem/problem.ts";
import { type LlmSettings, PROVIDERS, type Provider } from "./llm-settings.ts";

/** Which model one hook asks, and how it is reached. */
export interface ModelChoice {
  readonly hook: string;
  readonly provider: Provider;
  readonly model: string;
  readonly baseURL: string;
  readonly apiKeyEnv: string | undefined;
  /** Tells this choice from every other one. */
  readonly id: string;
  readonly notes: readonly string[];
}

/** Chooses by the user's settings; a hook's own model is used only from the user or the administrator. */
export function chooseModel(
  hook: Hook,
  settings: LlmSettings | undefined,
  providers: Readonly<Record<string, Provider>> = PROVIDERS,
): ModelChoice {
  const name = settings?.provider ?? "anthropic";
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (provider === undefined) throw PROBLEMS.unknownProvider({ name, known: Object.keys(providers) });
  const mayChoose = hook.layer === "user" || hook.layer === "managed";
  const model = (mayChoose ? hook.model : undefined) ?? settings?.model ?? provider.model;
  if (model === undefined) throw PROBLEMS.noModel({ name });
  const baseURL = settings?.baseURL ?? provider.baseURL;
  if (baseURL === undefined) throw PROBLEMS.noBaseUrl({ name });
  if (!/^https?:\/\//i.test(baseURL) || !URL.canParse(baseURL)) throw PROBLEMS.badBaseUrl({ baseURL });
  const isOverruled = !mayChoose && hook.model !== undefined && hook.model !== model;
  return {
    hook: hook.name,
    provider,
    model,
    baseURL,
    apiKeyEnv: settings?.apiKeyEnv ?? provider.apiKeyEnv,
    id: JSON.stringify([name, baseURL, model]),
    notes: isOverruled ? [`a hook of a project cannot choose the model; ${model} was asked, not ${hook.model}`] : [],
  };
}

const PROBLEMS = problems("llm", {
  unknownProvider: ({ name, known }: { name: string; known: readonly string[] }) => ({
    what: `\`llm.provider\` is "${name}", which Sluice does not know.`,
    fix: didYouMean(name, known) || `There are ${known.join(", ")}.`,
  }),
  noModel: ({ name }: { name: string }) => ({
    what: `Provider "${name}" does not have a default model.`,
    fix: "Set `llm.model` in your own configuration.",
  }),
  noBaseUrl: ({ name }: { name: string }) => ({
    what: `Provider "${name}" does not have a default address.`,
    fix: "Set `llm.base_url` in your own configuration, such as http://localhost:11434/v1.",
  }),
  badBaseUrl: ({ baseURL }: { baseURL: string }) => ({
    what: `\`llm.base_url\` is "${baseURL}", which is not an http address.`,
    fix: "Write it whole, such as https://api.example.com/v1.",
  }),
});
