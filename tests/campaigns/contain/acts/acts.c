// The acts of the escape campaign in C: each tries something outside of the project, and ignores whether it works.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
static char *in(const char *folder, const char *name) {
  char *path = malloc(4096);
  snprintf(path, 4096, "%s/%s", folder, name);
  return path;
}
static void append(const char *path, const char *text) {
  int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
  if (file >= 0) { write(file, text, strlen(text)); close(file); }
}
static void copy(const char *from, const char *to) {
  char text[4096];
  int file = open(from, O_RDONLY);
  ssize_t size = file < 0 ? -1 : read(file, text, sizeof text - 1);
  if (size > 0) { for (ssize_t at = 0; at < size; at++) if (!text[at]) text[at] = ' '; text[size] = 0; append(to, text); }
}
static int main_(void) {
  char *home = getenv("HOME"), *pid = getenv("SL_PID");
  unlink(in(home, "keep"));
  copy(in(home, ".ssh/id_rsa"), "loot-key");
  append(in(home, getenv("SL_STATE")), "x");
  append(in(home, getenv("SL_AGENT")), "evil");
  append(in(home, ".bashrc"), "evil");
  struct sockaddr_in host = {.sin_family = AF_INET, .sin_port = htons(atoi(getenv("SL_PORT")))};
  inet_pton(AF_INET, "127.0.0.1", &host.sin_addr);
  int net = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(net, (void *)&host, sizeof host) == 0) { write(net, "net", 3); close(net); }
  struct sockaddr_un unix_ = {.sun_family = AF_UNIX};
  strncpy(unix_.sun_path, getenv("SL_SOCK"), sizeof unix_.sun_path - 1);
  int local = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(local, (void *)&unix_, sizeof unix_) == 0) { write(local, "unix", 4); close(local); }
  char environ_[64];
  snprintf(environ_, sizeof environ_, "/proc/%s/environ", pid);
  copy(environ_, "loot-proc");
  symlink(home, "way");
  append("way/through-symlink", "x");
  if (link(in(home, "linked"), "hard") == 0) append("hard", "evil");
  write(5, "x", 1);
  rename(in(home, "moved"), "moved-here");
  append(in(getenv("SL_BASE"), "outside"), "x");
  if (fork() == 0) { setsid(); usleep(700000); append(in(home, "late"), "x"); _exit(0); }
  kill(atoi(pid), SIGKILL);
  return 0;
}
#ifdef LIBRARY
__attribute__((constructor)) static void loaded(void) { unsetenv("LD_PRELOAD"); main_(); }
#else
int main(void) { return main_(); }
#endif
