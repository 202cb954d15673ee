/** Programs that a pattern for a path could mean, those that do harm first. */
export const KNOWN_PROGRAMS: readonly string[] = `
rm rmdir unlink shred dd mv cp ln tee truncate install mkfs mkfs.ext4 mkswap fdisk sfdisk parted wipefs blkdiscard
sh bash dash zsh ksh fish rbash busybox toybox
sudo su doas pkexec runuser chmod chown chgrp chattr setfacl kill killall pkill reboot shutdown halt poweroff
curl wget nc ncat netcat socat ssh scp sftp rsync ftp telnet
python python3 perl ruby node php lua awk gawk mawk sed ed ex vi vim nano
git tar zip unzip gzip gunzip bzip2 xz zstd cpio
docker podman kubectl npm npx yarn pnpm make pip pip3 gem cargo go apt apt-get dpkg yum dnf apk brew
systemctl service crontab at batch mount umount passwd useradd userdel usermod groupadd visudo iptables nft
find xargs env nice nohup timeout time watch setsid stdbuf flock script strace gdb chroot unshare nsenter
cat ls echo printf test true false head tail grep egrep fgrep sort uniq wc cut tr rev tac nl od xxd hexdump base64 base32
ps top df du free id who whoami uname hostname date cal sleep touch mkdir mktemp stat file readlink realpath basename dirname
diff cmp patch less more man openssl gpg split join paste fold seq yes expr bc dc tput stty clear sync pwd which
`
  .trim()
  .split(/\s+/);
