/** What self-protection has to know about the machine and the project; the process provides what is left out. */
export interface ProtectionContext {
  readonly root: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The file of the running command. */
  readonly program?: string | undefined;
  /** Files of configuration beyond the usual ones, and scripts that hooks run. */
  readonly files?: readonly string[];
  readonly platform?: NodeJS.Platform;
}
