#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <fcntl.h>
#include <errno.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <sched.h>
static void t(const char*n,int ok){printf("%s %s\n",n,ok?"ESCAPED":"held");}
int main(int c,char**v){char p[4096];char*h=getenv("HOME");int pid=atoi(v[1]);
 snprintf(p,4096,"%s/keep",h);t("delete-home",unlink(p)==0);
 snprintf(p,4096,"%s/.ssh/id_rsa",h);t("read-key",open(p,O_RDONLY)>=0);
 snprintf(p,4096,"%s/.bashrc",h);int f=open(p,O_WRONLY|O_CREAT|O_APPEND,0644);t("bashrc",f>=0&&write(f,"x",1)==1);
 snprintf(p,4096,"%s/.config/sluice/hooks.yaml",h);t("config-read",open(p,O_RDONLY)>=0);t("config-write",open(p,O_WRONLY|O_CREAT,0644)>=0);
 snprintf(p,4096,"%s/.local/state/sluice/x",h);t("state",open(p,O_WRONLY|O_CREAT,0644)>=0);
 snprintf(p,4096,"%s/.claude/settings.json",h);t("agent",open(p,O_WRONLY|O_CREAT,0644)>=0);
 t("kill",kill(pid,0)==0);t("ptrace",ptrace(PTRACE_ATTACH,pid,0,0)==0);
 t("mount",mount("tmpfs","/mnt","tmpfs",0,0)==0);t("umount",umount2(h,MNT_DETACH)==0);
 snprintf(p,4096,"/proc/%d/root/etc/passwd",pid);t("proc-root",open(p,O_RDONLY)>=0);
 t("sysctl",open("/proc/sys/kernel/core_pattern",O_WRONLY)>=0);
 t("etc",open("/etc/sluice-x",O_WRONLY|O_CREAT,0644)>=0);t("usr",open("/usr/bin/sluice-x",O_WRONLY|O_CREAT,0755)>=0);
 t("kmsg",open("/dev/kmsg",O_WRONLY)>=0);t("vda",open("/dev/vda",O_RDONLY)>=0);
 struct sockaddr_in a={.sin_family=AF_INET,.sin_port=htons(atoi(v[2]))};inet_pton(AF_INET,"127.0.0.1",&a.sin_addr);int s=socket(AF_INET,SOCK_STREAM,0);t("connect",connect(s,(void*)&a,sizeof a)==0);
 char x='x';t("tiocsti",ioctl(0,TIOCSTI,&x)==0);
 t("fd5",fcntl(5,F_GETFD)>=0&&write(5,"x",1)==1);
 t("fd20",fcntl(20,F_GETFD)>=0&&write(20,"x",1)==1);
 if(symlink(h,"hl")==0){t("symlink",open("hl/evil",O_WRONLY|O_CREAT,0644)>=0);}
 snprintf(p,4096,"%s/keep",h);if(link(p,"hard")==0)t("hard",1);
 if(unshare(CLONE_NEWUSER|CLONE_NEWNS)==0){t("ns-umount",umount2(h,MNT_DETACH)==0);snprintf(p,4096,"%s",h);t("ns-remount",mount(0,p,0,MS_REMOUNT|MS_BIND,0)==0);}
 if(fork()==0){setsid();sleep(1);FILE*o=fopen("/tmp/sl-late","w");if(o)fputs("x",o);_exit(0);}
 return 0;}
