import htm from "htm";
import { h, type VNode } from "preact";

/** Markup as a tagged template. Every value becomes text or an attribute, never markup. */
export const html = htm.bind(h) as (strings: TemplateStringsArray, ...values: unknown[]) => VNode;
