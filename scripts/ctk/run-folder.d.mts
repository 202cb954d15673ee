/** What came of the vectors of a folder. */
export interface VectorReport {
  readonly folder: string;
  readonly passed: readonly { readonly id: string; readonly title: string; readonly part: string }[];
  readonly failed: readonly { readonly id: string; readonly title: string; readonly failures: readonly string[] }[];
  readonly notApplicable: readonly { readonly id: string; readonly title: string; readonly why: string }[];
}

export function runFolder(library: object, folder: string): Promise<VectorReport>;
export function reportText(report: VectorReport): string;
