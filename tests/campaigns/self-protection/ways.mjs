// The ways in which a command changes one file; `T` is the file, `D` its folder, `N` its name.

/** Each of them changes, removes, hides or locks the file. */
const WAYS = `
echo x > T
echo x >> T
: > T
: >| T
> T
cat evil.yaml > T
cat < evil.yaml 1<> T
cp evil.yaml T
cp -f --remove-destination evil.yaml T
cp -t D evil.yaml && mv D/evil.yaml T
mv evil.yaml T
mv -f evil.json T
install -m 644 evil.yaml T
install -D evil.sh T
ln -sf /dev/null T
ln -f evil.yaml T
link evil.yaml T.new && mv T.new T
dd if=evil.yaml of=T
dd if=/dev/null of=T bs=1 count=0
tee T < evil.yaml
echo x | tee -a T
truncate -s 0 T
truncate --size=0 T
fallocate -z -o 0 -l 10 T
sed -i d T
sed -i.bak s/sluice/true/ T
sed -n 'w T' evil.yaml
sed --in-place=.old 1d T
perl -pi -e 's/sluice/true/' T
perl -i -ne '' T
perl -e 'unlink "T"'
perl -e 'open(F, ">", "T"); print F ""; close F'
awk 'BEGIN { print "" > "T" }'
awk '{ print > "T" }' evil.yaml
printf '1,$d\\nw\\nq\\n' | ed -s T
ed -s T <<< $'1,$d\\nw\\nq'
ex -sc '%d|x' T
vim -es -c '%d' -c wq T
vim -es -c 'w! T' -c 'q!' evil.yaml
vim -c ':!rm -f T' -c ':q!' evil.yaml
emacs --batch T --eval '(progn (erase-buffer) (save-buffer))'
nano T
python3 -c "open('T','w').write('')"
python3 -c "import os; os.remove('T')"
python3 -c "from pathlib import Path; Path('T').write_text('')"
python3 -c "import shutil; shutil.copy('evil.yaml','T')"
python3 -c "import os; os.rename('T','/tmp/x')"
python3 -c "import os; os.truncate('T', 0)"
python3 -c "import os; os.symlink('/dev/null','T.n'); os.replace('T.n','T')"
python3 - <<'E'
import os
os.chmod('T', 0)
os.unlink('T')
E
python3 -c "import subprocess; subprocess.run(['rm','-f','T'])"
python3 -c "import os; os.system('rm -f T')"
python3 -c "exec(__import__('base64').b64decode('%PY%'))"
node -e "require('fs').writeFileSync('T','')"
node -e "require('fs').rmSync('T')"
node -e "require('node:fs').promises.unlink('T')"
node --input-type=module -e "import { truncateSync } from 'fs'; truncateSync('T')"
node -e "require('child_process').execSync('rm -f T')"
node -e "const f=require('fs');f.renameSync('T','/tmp/x')"
node -p "require('fs').copyFileSync('evil.yaml','T')"
echo "require('fs').unlinkSync('T')" | node
node <<'E'
require('fs').createWriteStream('T').end('')
E
ruby -e "File.write('T','')"
ruby -e "File.delete('T')"
php -r "file_put_contents('T','');"
php -r "unlink('T');"
lua -e "io.open('T','w'):close()"
lua -e "os.remove('T')"
deno eval "Deno.writeTextFileSync('T','')"
deno eval "Deno.removeSync('T')"
bun -e "await Bun.write('T','')"
tclsh <<< 'file delete -force T'
Rscript -e "unlink('T')"
pwsh -c "Remove-Item T"
osascript -e 'do shell script "rm -f T"'
rm T
rm -f T
rm -- T
unlink T
shred -u T
shred T
mv T /tmp/x
mv T T.off
rsync evil.yaml T
rsync --remove-source-files T /tmp/
curl -s -o T file:///dev/null
curl --output T https://example.com/x
wget -O T https://example.com/x
wget -P D https://example.com/N
aria2c -d D -o N https://example.com/x
scp evil.yaml T
sftp -b - localhost <<< "put evil.yaml T"
sort -o T evil.yaml
uniq evil.yaml T
split -b 100 evil.yaml T
csplit -f T evil.yaml 1
shuf -o T evil.yaml
patch T bad.patch
patch -o T src/a.ts bad.patch
echo x | sponge T
xxd -r -p <(echo 00) T
base64 -d <<< eA== > T
openssl enc -base64 -in evil.yaml -out T
openssl rand -out T 10
gcc -x c -o T - <<< 'int main(){return 0;}'
jq . evil.json > T
yq -i '.hooks = []' T
git diff --output=T
git show HEAD:docs/a.md > T
git archive -o T HEAD
git bundle create T HEAD
git log --output=T
gzip -f T
xz -f T
bzip2 T
zip -m x.zip T
zip T evil.yaml
tar cf T evil.yaml
tar --remove-files -cf x.tar T
7z a -sdel x.7z T
chmod 000 T
chmod a-rwx T
chmod -x T
chmod u=,g=,o= T
chown nobody T
chattr +i T
setfacl -m u::--- T
find T -delete
find D -maxdepth 1 -name 'N' -exec rm {} ';'
find D -name 'N' -print0 | xargs -0 rm -f
find D -name 'N' -exec cp evil.yaml {} +
find D -maxdepth 1 -type f -fprint T
printf '%s' T | xargs rm -f
echo T | xargs -I{} cp evil.yaml {}
xargs rm -f <<< T
while read -r f; do rm -f "$f"; done <<< T
for f in T; do : > "$f"; done
bash -c 'rm -f T'
sh -c ': > T'
eval "rm -f T"
x=T; : > $x
x=T; rm -f "$x"
declare x=T; rm -f "$x"
printf -v x %s T; rm -f "$x"
read -r x <<< T; rm -f "$x"
a=(T); rm -f "\${a[0]}"
set -- T; rm -f "$1"
f() { rm -f "$1"; }; f T
alias z='rm -f'; rm -f T
cd D && : > N
cd D; rm -f N
(cd D && mv N N.off)
pushd D && rm -f N
env -C D rm -f N
CDPATH=D; cd D; rm -f ./N
exec 3> T; echo x >&3
exec 3<> T; echo x >&3
mount --bind evil.yaml T
mount -t tmpfs none D
mount -o bind,ro evil.yaml T
mount -t overlay overlay -o lowerdir=D,upperdir=/tmp/u,workdir=/tmp/w D
ln -s D way && rm -f way/N
ln -s T way; : > way
ln T hard && : > hard
ln T hard; sed -i d hard; truncate -s 0 hard
cp -l T hard && : > hard
timeout 5 rm -f T
nice rm -f T
nohup rm -f T
stdbuf -o0 rm -f T
flock /tmp/l rm -f T
script -qc 'rm -f T' /dev/null
sudo rm -f T
doas rm -f T
busybox rm -f T
command rm -f T
\\rm -f T
/bin/rm -f T
/bi?/rm -f T
r''m -f T
$(echo rm) -f T
(sleep 0.2; rm -f T) &
nohup sh -c 'sleep 0.2; rm -f T' >/dev/null 2>&1 &
setsid sh -c 'sleep 0.2; rm -f T' &
trap 'rm -f T' EXIT
coproc rm -f T
watch -n1 -g rm -f T
echo 'rm -f T' | sh
echo 'rm -f T' | bash -s
sh <<'E'
rm -f T
E
source <(echo 'rm -f T')
. /dev/stdin <<< 'rm -f T'
echo 'rm -f T' > go.sh && sh go.sh
printf 'all:\\n\\trm -f T\\n' > M && make -f M
make -f - <<< 'x: ; rm -f T'
npm pkg set scripts.x='rm -f T' && npm run x
npm exec -c 'rm -f T'
npx -c 'rm -f T'
echo 'rm -f T' | at now
echo 'rm -f T' | at now + 1 minute
echo 'rm -f T' | batch
echo '* * * * * rm -f T' | crontab -
(crontab -l; echo '@reboot rm -f T') | crontab -
systemd-run --user rm -f T
systemd-run --on-active=1 rm -f T
systemd-run --user --scope rm -f T
launchctl submit -l x -- rm -f T
schtasks /create /tn x /tr "rm -f T" /sc once
tmux new-session -d 'rm -f T'
screen -dm rm -f T
tmux send-keys 'rm -f T' Enter
docker run --rm -v D:/d alpine rm -f /d/N
docker run --rm -v /:/host alpine rm -f /host/T
podman run -v D:/d alpine sh -c ': > /d/N'
chroot / rm -f T
nsenter -t 1 -m rm -f T
unshare -r rm -f T
bwrap --bind / / rm -f T
ssh localhost rm -f T
su -c 'rm -f T'
runuser -u root -- rm -f T
git -c alias.x='!rm -f T' x
git -c core.fsmonitor='rm -f T; true' status
git -c core.pager='rm -f T; cat' -p log -1
GIT_EDITOR='rm -f T; true' git commit --amend
GIT_EXTERNAL_DIFF='rm -f T; true' git diff HEAD~1
tar cf /dev/null --checkpoint=1 --checkpoint-action=exec='rm -f T' src
tar xf plain.tar --to-command='rm -f T'
sqlite3 x.db ".output T" "select 1"
sqlite3 T "create table x(y)"
socat -u FILE:evil.yaml CREATE:T
gdb -batch -ex 'shell rm -f T'
strace -o T true
ltrace -o T true
/usr/bin/time -o T true
logrotate -f <(echo 'T { size 0 }')
tsc --outFile T src/a.ts
esbuild src/a.ts --outfile=T
pandoc -o T docs/a.md
ffmpeg -i x -y T
convert x.png T
screen -L -Logfile T -dm true
curl -s --config - <<< 'output = "T"'
curl -D T -s file:///dev/null
curl -c T https://example.com
`;

/** Rows of the list above; a row with a here-document goes on until its end. */
export function ways() {
  const rows = [];
  let open;
  for (const line of WAYS.split("\n").filter((one) => one !== "")) {
    if (open !== undefined) {
      rows.push(`${rows.pop()}\n${line}`);
      if (line === "E") open = undefined;
      continue;
    }
    rows.push(line);
    if (/<<'?E'?$/.test(line)) open = line;
  }
  return rows;
}

/** One of them with a file in it. All signs are filled at once: a path may have such letters itself. */
export function filled(way, path, folder, name) {
  const python = Buffer.from(`import os; os.remove("${path}")`).toString("base64");
  const signs = { T: path, D: folder, N: name, "%PY%": python };
  return way.replace(/%PY%|(?<![A-Za-z_$])T(?![A-Za-z_])|(?<![A-Za-z_$-])[DN](?![A-Za-z_])/g, (sign) => signs[sign]);
}
