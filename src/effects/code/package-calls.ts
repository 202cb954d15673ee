import { EQUIVALENTS } from "../programs/equivalents.ts";
import type { Inner } from "../programs/program.ts";

/** Packages that code installs from elsewhere than the usual registry: `install.packages(…, repos = …)` of R, `Pkg.add(url = …)` of Julia. */
export function packagesIn(code: string): Inner[] {
  if (!MAY_INSTALL.test(code)) return [];
  return [...code.matchAll(INSTALLS)].slice(0, MOST).flatMap(([, name = "", given = ""]): Inner[] => {
    const [address] = /["']((?:[a-z]{2,5}\+)?[a-z]{3,5}:\/\/[^"']{1,400})["']/.exec(given)?.slice(1) ?? [];
    if (address !== undefined)
      return [/\brepos\s*=/.test(given) ? EQUIVALENTS.installFrom(address) : EQUIVALENTS.install(address)];
    const [, service = ""] = /^install_(github|gitlab|bitbucket)$/.exec(name) ?? [];
    const [, repository] = /["']([\w.-]+\/[\w./@-]+)["']/.exec(given) ?? [];
    return service === "" || repository === undefined ? [] : [EQUIVALENTS.install(`${service}:${repository}`)];
  });
}

const MOST = 8;
const MAY_INSTALL = /install|Pkg/;
const INSTALLS =
  /\b(install\.packages|install_\w{2,12}|Pkg\.(?:add|develop|clone)|Mix\.install|pkg_install)\s*\(((?:[^()]|\((?:[^()]|\([^()]*\))*\)){0,2000})\)/g;
