/** Reading from or writing to it leaves nothing behind: streams, terminals, the void. */
export function isStream(path: string): boolean {
  return path === "-" || STREAM.test(path);
}

/** A disk, a partition or memory: writing to it destroys what lies on it. */
export function isDisk(path: string): boolean {
  return DISK.test(path);
}

/** A device that never ends. */
export function isEndless(path: string): boolean {
  return ENDLESS.test(path);
}

/** Something below `/dev` that is no file; what lies in its shared memory is one. */
export function isDevice(path: string): boolean {
  return path.startsWith("/dev/") && !path.startsWith("/dev/shm/");
}

/** A file that the system itself offers, and that holds nothing of the user's. */
export function isSystemFile(path: string): boolean {
  return isDevice(path) || /^\/(?:proc|sys)\//.test(path);
}

const STREAM = /^\/dev\/(?:null|stdin|stdout|stderr|tty|full|fd\/\d+|ptmx|pts\/\d+)$|^\/proc\/self\/fd\/\d+$|^NUL$/;
const DISK =
  /^\/dev\/(?:r?disk\d|[shvx]v?d[a-z*?[]|nvme|mmcblk|md\d|md\/|dm-|mapper\/|loop\d|sr\d|zd\d|nbd\d|pmem|ram\d|mem$|kmem$|port$|mtd|block\/|disk\/)|^\\\\\.\\PhysicalDrive/i;
const ENDLESS = /^\/dev\/(?:zero|u?random|full)$/;
