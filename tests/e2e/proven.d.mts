interface Column {
  readonly agent: { readonly id: string; readonly version: string };
  readonly cells: Readonly<
    Record<string, { readonly skipped?: string; readonly missing?: string; readonly wrong?: readonly string[] }>
  >;
}
export function recordProof(
  column: Column,
  options: { readonly rows: readonly string[]; readonly date: string; readonly folder?: string },
): string;
export function withProof(source: string, version: string, date: string): string;
