import { DENY, type Guard } from "./guard.ts";
import { named, type Part } from "./part.ts";

/** Disks and devices are not written to directly. */
export const disks: Guard = {
  title: "Writing to disks and devices",
  why: "A file system that is overwritten is gone with everything on it.",
  rules: [
    {
      name: "disk-loss",
      ...DENY,
      reason: "Writes to a disk, a partition or a volume and destroys the data on it.",
      does: (part) => `destroys the data on ${diskOf(part)}`,
      ask: (part) => `to do that to ${diskOf(part)}`,
    },
  ],
  stops: () => [
    "update-initramfs -d -k all",
    "mkfs.ext4 /dev/sda1",
    "dd if=image.iso of=/dev/sdb",
    "cat x > /dev/nvme0n1",
    "wipefs -a /dev/sda",
    "parted -s /dev/sda mklabel gpt",
    "diskutil eraseDisk JHFS+ X disk2",
    "zfs destroy -r tank/x",
    "lvremove -f vg/x",
  ],
  passes: () => [
    "lsblk",
    "df -h",
    "fdisk -l",
    "dd if=/dev/urandom of=/tmp/random.bin bs=1M count=1",
    "echo mkfs.ext4",
    "cat /dev/null",
  ],
};

function diskOf(part: Part): string {
  if (part.paths.length > 0) return named(part);
  return part.words.findLast(({ text }) => !text.startsWith("-"))?.text ?? "a disk";
}
