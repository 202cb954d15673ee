/** The address that a text is, as browsers and programs read it; undefined for other texts. */
export function addressIn(text: string): URL | undefined {
  const bare = text.trim().replace(/^(?:view-source|jar|feed|blob):/i, "");
  if (bare.length > MAX_LENGTH || !ADDRESS.test(bare)) return undefined;
  return URL.canParse(bare) ? new URL(bare) : undefined;
}

/** Whether a host gives a machine in a cloud its keys, however it is written. */
export function isMetadataHost(host: string): boolean {
  const bare = host
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");
  if (METADATA_NAMES.has(bare)) return true;
  if (/^fd00:ec2:(?::|0:)+(?:254|23)$/.test(bare) || /^fe80:.*a9fe:a9fe$/.test(bare)) return true;
  const mapped = /^::(?:ffff:(?:0:)?)?([\da-f]{1,4}):([\da-f]{1,4})$/.exec(bare);
  const dotted = mapped === null ? numbers(bare) : numbersOf(mapped[1] ?? "", mapped[2] ?? "");
  if (dotted === undefined) return false;
  const [one, two] = dotted;
  return (one === 169 && two === 254) || METADATA_NUMBERS.has(dotted.join("."));
}

/** Whether a name mixes letters of two alphabets, so that it looks like another one. */
export function isDeceptive(text: string): boolean {
  const [, host = ""] = /^\s*[a-z][a-z\d+.-]*:\/\/(?:[^/?#@]*@)?([^/?#:]+)/i.exec(text) ?? [];
  return host.split(".").some((part) => /[a-z]/i.test(part) && /[\u0370-\u03ff\u0400-\u052f\u0531-\u058f]/.test(part));
}

/** An interface by which machines, containers or clusters are ruled, without a login. */
export function isControl({ hostname, port, pathname }: URL): boolean {
  if (CONTROL_PORTS.has(port) || SECRET_PATHS().test(pathname)) return true;
  return PRIVATE.test(hostname) && ACTS().test(pathname);
}

/** Whether a host is this machine. */
export function isLocalHost(host: string): boolean {
  return LOCAL().test(host.toLowerCase());
}

/** The four numbers of an address, also as one number, in other bases, with fewer parts, or in a name that represents one. */
function numbers(host: string): readonly number[] | undefined {
  const named = /(?:^|\.)(\d{1,3}[.-]\d{1,3}[.-]\d{1,3}[.-]\d{1,3})\.(?:nip|sslip|xip)\.io$/.exec(host);
  const text = named === null ? host : (named[1] ?? "").replaceAll("-", ".");
  if (!/^[\dxa-f.]+$/i.test(text) || !URL.canParse(`http://${text}/`)) return undefined;
  const { hostname } = new URL(`http://${text}/`);
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) ? hostname.split(".").map(Number) : undefined;
}

function numbersOf(high: string, low: string): readonly number[] {
  const [one, two] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [one >> 8, one & 255, two >> 8, two & 255];
}

/** The engine of containers, the agent of a cluster, its store. */
const CONTROL_PORTS: ReadonlySet<string> = new Set(["2375", "2376", "10250", "10255", "2379"]);
/** What a cluster, a key store or a running program returns of its secrets. */
const SECRET_PATHS = () =>
  /^\/api\/v1\/(?:namespaces\/[^/]+\/)?secrets|\/actuator\/(?:env|heapdump|shutdown)|^\/v1\/(?:secret|kv)\/|^\/latest\/meta-data/;
const PRIVATE = /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/;
const ACTS = () =>
  /(?:^|[/_-])(?:reboot|restart|reset|shutdown|factory|delete|erase|poweroff|flash|upgrade)(?:$|[/_.?-])/i;
const ADDRESS = /^\s*(?:[a-z][a-z\d+.-]*:)?(?:\/\/|(?<=(?:file|data|javascript):))/i;
const LOCAL = () =>
  /^(?:localhost|.+\.localhost|127(?:\.\d+){0,3}|0\.0\.0\.0|\[?::1\]?|\[::\]|host\.docker\.internal)$/;
const METADATA_NAMES: ReadonlySet<string> = new Set(
  "metadata.google.internal metadata metadata.goog metadata.azure.internal metadata.azure.com metadata.tencentyun.com metadata.packet.net metadata.platformequinix.com instance-data instance-data.ec2.internal".split(
    " ",
  ),
);
/** Alibaba, Oracle, Azure. */
const METADATA_NUMBERS: ReadonlySet<string> = new Set(["100.100.100.200", "192.0.0.192", "168.63.129.16"]);
const MAX_LENGTH = 4096;
