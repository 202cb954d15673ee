import type { Plugin } from "esbuild";

export declare const withoutExamples: Plugin;
