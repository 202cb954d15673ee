import { type Act, anyOperand, hasOperands, operand, operandIs, option } from "./act.ts";
import { type Call, has, hasVerb, plays, value, writes } from "./call.ts";
import type { Programs } from "./program.ts";

/** Programs that change disks, partitions and file systems. */
export const DISKS = (): Programs => ({
  "mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.exfat mkfs.f2fs mke2fs mkswap mkdosfs newfs newfs_apfs newfs_hfs mkudffs mkntfs":
    {
      is: { "image-maker": true },
      options: "t= L= U= b= m= I= O= E= n N F f q v c V",
      unless: isTrial,
      roles: ["overwrite"],
      does: (call) => {
        // An image of a disk is an ordinary file.
        if (call.operands.every(({ text }) => !isImage(text))) plays(call, "disk");
        wipes(call);
      },
      examples: [
        ["mkfs.ext4 -n /dev/sda1"],
        ["mkfs.vfat -n LABEL /dev/sda1", "overwrite disk", "writes /dev/sda1 forced"],
        ["mkfs.ext4 -F /dev/sda1", "overwrite disk", "writes /dev/sda1 forced"],
        ["mkfs -t ext4 disk.img", "overwrite", "writes disk.img forced"],
      ],
    },
  "fdisk gdisk cfdisk sfdisk sgdisk parted cgdisk gpart": {
    options:
      "list|l script|s print|p L= zap-all|Z zap|z delete d= new|n= typecode|t= dump partition-table= o u align|a= info|i= verify|v version|V help|h",
    when: looksAtTable,
    reads: operand(0),
    otherwise: { when: hasOperands, roles: ["disk"], does: wipes },
    examples: [
      ["fdisk -l"],
      ["sfdisk --delete /dev/sda", "disk overwrite", "writes /dev/sda forced"],
      ["sgdisk --zap-all /dev/nvme0n1", "disk overwrite", "writes /dev/nvme0n1 forced"],
      ["parted -s /dev/sda mklabel gpt", "disk overwrite", "writes /dev/sda forced"],
      ["parted /dev/sda print", "reads /dev/sda"],
      ["parted -s /dev/sda unit s print free", "reads /dev/sda"],
      ["sgdisk -i 1 /dev/sda", "reads /dev/sda"],
    ],
  },
  "wipefs blkdiscard badblocks sdparm nvme flashrom": {
    readOnly: "list|id-ctrl|smart-log|list-subsys|show-regs",
    options: "all|a offset|o= types|t= force|f no-act|n backup|b w secure|s zeroout|z length|l= step|p=",
    unless: "no-act",
    does: [
      { names: "wipefs", when: "all offset types", ...OVERWRITES },
      { names: "badblocks", when: "w", ...OVERWRITES },
      { names: "nvme", when: operandIs(0, /^(?:format|sanitize|write|delete-ns|fw-)/), ...OVERWRITES },
      { names: "blkdiscard sdparm flashrom", ...OVERWRITES },
    ],
    examples: [
      ["wipefs -a /dev/sda", "disk overwrite", "writes /dev/sda forced"],
      ["wipefs /dev/sda"],
      ["blkdiscard /dev/sda", "disk overwrite", "writes /dev/sda forced"],
      ["nvme format /dev/nvme0n1", "disk overwrite", "writes /dev/nvme0n1 forced"],
    ],
  },
  hdparm: {
    style: "whole",
    options:
      "user-master= security-set-pass= security-erase= security-erase-enhanced= write-sector= trim-sector-ranges=",
    when: "security-erase security-erase-enhanced write-sector trim-sector-ranges make-bad-sector",
    roles: ["disk", "overwrite"],
    writes: operand(-1),
    forced: true,
    examples: [
      ["hdparm -I /dev/sda"],
      ["hdparm --security-erase x /dev/sda", "disk overwrite", "writes /dev/sda forced"],
    ],
  },
  "mount umount swapon swapoff fusermount mount.cifs": {
    is: { "system-settings": "mount umount swapon swapoff" },
    options: "types|t= options|o= bind|B rbind|R move|M all|a lazy|l force|f source= target= L= U= u",
    does: (call) => {
      if (call.operands.length === 0 && !has(call, "all")) return;
      plays(call, "settings");
      // A mount hides the content of the folder, and a moved mount disappears from its old folder.
      const hidden =
        call.report.program === "mount" && call.operands.length > 1
          ? call.operands.slice(has(call, "move") ? -2 : -1)
          : [];
      for (const folder of hidden) writes(call, folder, { isTree: true, by: "access" });
    },
    examples: [["mount"], ["mount --bind a b", "settings", "writes b tree"], ["umount -l /mnt", "settings"]],
  },
  dmsetup: {
    readOnly: "ls|info|status|table|deps|targets|version|help",
    when: operandIs(0, /^(?:remove|remove_all|wipe_table|clear|create|load)$/),
    roles: ["disk", "work-loss"],
    examples: [["dmsetup remove_all", "disk work-loss"], ["dmsetup ls"]],
  },
  "losetup kpartx": {
    options: "all|a find|f detach|d= detach-all|D offset|o= show partscan|P j= list|l",
    when: (call) =>
      has(call, "detach", "detach-all") ||
      (call.operands.length > 0 &&
        !(call.operands.length === 1 && call.report.program === "losetup" && !has(call, "find")) &&
        !has(call, "list")),
    roles: ["disk"],
    examples: [["losetup -a"], ["losetup /dev/loop0"], ["losetup -f a.img", "disk"], ["losetup -d /dev/loop0", "disk"]],
  },
  "cryptsetup veracrypt": {
    readOnly: "status|luksDump|isLuks|luksUUID",
    when: anyOperand(/^(?:luksFormat|luksErase|erase|luksRemoveKey|luksKillSlot|reencrypt|format)$/),
    roles: ["disk", "overwrite"],
    otherwise: { when: anyOperand(/^(?:open|close|luksOpen|luksClose|luksAddKey|resize)$/), roles: ["disk"] },
    examples: [["cryptsetup luksFormat /dev/sda", "disk overwrite"], ["cryptsetup status x"]],
  },
  "lvremove vgremove pvremove lvreduce lvresize vgreduce lvcreate vgcreate pvcreate pvmove vgextend lvextend lvconvert lvrename":
    {
      roles: ["disk"],
      does: [{ when: (call) => /remove|reduce/.test(call.report.program), roles: ["work-loss"] }],
      examples: [
        ["lvremove -f vg/x", "disk work-loss"],
        ["lvcreate -L 1G vg", "disk"],
      ],
    },
  "zpool zfs": {
    readOnly: "list|status|get|iostat|history|diff|holds|version|help",
    is: { "volume-manager": true },
    verbs: {
      "destroy|rollback|labelclear": ["disk", "work-loss"],
      "create|set|add|attach|detach|remove|replace|export|import|clone|rename|promote|receive|recv|mount|unmount|clear|offline|split|upgrade|inherit":
        ["disk"],
    },
    examples: [["zfs destroy -r tank/x", "disk work-loss"], ["zfs list"]],
  },
  btrfs: {
    readOnly:
      "subvolume list|subvolume show|filesystem show|filesystem df|filesystem usage|device usage|balance status|scrub status|property get|property list|version|help",
    is: { "volume-manager": true },
    verbs: {
      "subvolume delete|device delete|device remove|device add|filesystem resize|balance start|replace start|check": [
        "disk",
        "work-loss",
      ],
      "subvolume create|subvolume snapshot|property set": ["disk"],
    },
    examples: [["btrfs subvolume delete x", "disk work-loss"], ["btrfs subvolume list x"]],
  },
  mdadm: {
    options:
      "create|C stop|S zero-superblock fail|f remove|r grow|G assemble|A detail|D examine|E scan|s manage query|Q monitor|F version|V help|h detail-platform level|l= raid-devices|n= add|a",
    readOnly: true,
    unless: "detail examine query detail-platform monitor version help",
    roles: ["disk"],
    does: [{ when: "zero-superblock create fail", roles: ["work-loss"] }],
    examples: [["mdadm --detail /dev/md0"], ["mdadm --zero-superblock /dev/sda", "disk work-loss"]],
  },
  diskutil: {
    readOnly: true,
    when: ({ operands }) => operands.slice(0, 2).some(({ text }) => CHANGES_DISK.test(text)),
    roles: ["disk"],
    does: [
      { when: ({ operands }) => operands.slice(0, 2).some(({ text }) => WIPES_DISK.test(text)), roles: ["overwrite"] },
    ],
    examples: [
      ["diskutil list"],
      ["diskutil apfs list"],
      ["diskutil unmount disk2", "disk"],
      ["diskutil eraseDisk JHFS+ X disk2", "disk overwrite"],
      ["diskutil apfs deleteVolume disk1s1", "disk overwrite"],
    ],
  },
  "hdiutil asr tmutil": {
    readOnly:
      "info|imageinfo|verify|checksum|isencrypted|status|listbackups|latestbackup|destinationinfo|listlocalsnapshots|compare|version|help",
    is: { "volume-manager": "tmutil" },
    does: [
      { names: "tmutil", when: operandIs(0, /^(?:delete|disable|removedestination)/i), roles: ["work-loss"] },
      { names: "hdiutil asr", when: operandIs(0, /^(?:erase|restore|create|convert|resize)/), roles: ["disk"] },
      { names: "asr", when: (call) => value(call, "erase") !== undefined, roles: ["overwrite"] },
    ],
    examples: [["tmutil deletelocalsnapshots /", "work-loss"], ["hdiutil info"]],
  },
  "e2fsck fsck fsck.ext4 xfs_repair resize2fs tune2fs xfs_growfs ntfsfix debugfs efibootmgr bootctl": {
    options: "n N l",
    when: (call) => call.command.args.length > 0,
    unless: "n N l",
    roles: ["disk"],
    examples: [["fsck -y /dev/sda1", "disk"], ["tune2fs -l /dev/sda1"]],
  },
  "grub-install grub2-install update-grub update-grub2 grub-mkconfig grub2-mkconfig grub-set-default grub2-set-default grub-reboot grub2-reboot grub-editenv grub2-editenv grubby kernelstub update-initramfs dracut mkinitcpio bootrec bootsect kernel-install":
    {
      options: "help|h version|V info? default-kernel print",
      // Without a file, its output is printed.
      unless: (call) =>
        has(call, "help", "version", "info", "default-kernel") ||
        hasVerb(call, "list") ||
        (/mkconfig$/.test(call.report.program) && call.command.args.length === 0),
      roles: ["disk"],
      examples: [["update-grub", "disk"], ["grub-mkconfig"], ["grubby --info=ALL"], ["update-initramfs -u", "disk"]],
    },
  fio: {
    options: "filename= rw|readwrite= name= size= directory= bs= ioengine= runtime= numjobs=",
    when: (call) => /write|rw/.test(value(call, "rw")?.text ?? ""),
    writes: option("filename"),
    examples: [
      ["fio --filename=/dev/sda --rw=write --name=x", "disk overwrite", "writes /dev/sda"],
      ["fio --filename=/dev/sda --rw=read --name=x"],
    ],
  },
  "lsblk df findmnt lvs pvs vgs lvdisplay vgdisplay pvdisplay lvscan vgscan": {
    is: { "reports-machine": true },
    readOnly: true,
    input: "ignored",
    examples: [["lsblk -f"]],
  },
  blkid: { readOnly: ({ given }) => !given.has("c") && !given.has("g"), examples: [["blkid /dev/sda1"]] },
});

/** Whether the partition table is only printed; a program without a verb waits for one. */
function looksAtTable(call: Call): boolean {
  const { program } = call.report;
  if (has(call, "list", "print", "dump", "version", "help")) return true;
  if (program === "sgdisk")
    return !has(call, "zap-all", "zap", "delete", "d", "new", "typecode", "o") && has(call, "info", "verify");
  const verbs = call.operands.slice(1);
  return program === "parted" && verbs.length > 0 && !verbs.some(({ text }) => CHANGES_TABLE.test(text));
}

const CHANGES_TABLE =
  /^(?:mk(?:label|table|part|fs|partfs)|rm|resize(?:part)?|move|cp|set|toggle|disk_\w+|name|rescue|type)$/;

/** Whether the option means a dry run; for other programs it takes a label or a size. */
function isTrial(call: Call): boolean {
  const { program } = call.report;
  if (/^(?:mke2fs|mkfs\.ext[234]|mkntfs|mkfs\.ntfs)$/.test(program)) return has(call, "n");
  return /^(?:mkfs\.xfs|newfs\w*)$/.test(program) && has(call, "N");
}

const OVERWRITES = { roles: ["disk", "overwrite"], writes: operand(-1), forced: true } as const satisfies Act;

const WIPES_DISK = /erase|zero|random|partition|reformat|secure|delete|merge|split/i;
const CHANGES_DISK =
  /^(?:erase|zero|random|partition|reformat|secure|delete|merge|split|resize|add|create|convert|encrypt|decrypt|rename|repair|enable|disable|mount|unmount|umount|eject|set|update|change|lock|unlock|revert|remove)/i;

function isImage(path: string): boolean {
  return !path.startsWith("/dev/") && /\.(?:img|raw|qcow2|dmg|fs)$/.test(path);
}

function wipes(call: Call): void {
  const target = call.operands.find(({ text }) => text.startsWith("/dev/")) ?? call.operands[0];
  writes(call, target, { isForced: true });
}
