/*
 * Asks the daemon of Sluice, and runs the cold command whenever that is not certain to work:
 *
 *     client <program> <launcher> run <agent> ...
 *
 * The words behind `client` are the cold command. The daemon's socket and secrets are beside this file. What client and
 * daemon send each other is in src/server/protocol.ts.
 */
#define _GNU_SOURCE
#define _DARWIN_C_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

#ifdef WITHOUT_LIBRARY
/*
 * On Linux a C library takes longer to start than all that this program does. Here is what it would be used for: system
 * calls, by the names that the rest of this file calls them, and what the compiler itself calls.
 */
#include <sys/mman.h>
#include <sys/syscall.h>

char **environ;
static int last_error;
#undef errno
#define errno last_error

static long system_call(long number, long a, long b, long c, long d, long e, long f) {
#if defined(__aarch64__)
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory", "cc");
  long result = x0;
#elif defined(__x86_64__)
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory", "cc");
#else
#error "this processor needs the C library"
#endif
  if (result >= 0 || result < -4095) return result;
  errno = (int)-result;
  return -1;
}

#define CALLED(number, a, b, c, d, e, f, ...) \
  system_call(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
#define CALL(...) CALLED(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)

#define access(path, mode) CALL(SYS_faccessat, AT_FDCWD, path, mode)
#define close(file) CALL(SYS_close, file)
#define connect(file, address, size) CALL(SYS_connect, file, address, size)
#define dup2(from, to) CALL(SYS_dup3, from, to, 0)
#define execve(path, all, environment) CALL(SYS_execve, path, all, environment)
#define fcntl(file, command) CALL(SYS_fcntl, file, command)
#define fork() CALL(SYS_clone, SIGCHLD)
#define fstat(file, found) CALL(SYS_fstat, file, found)
#define geteuid() ((uid_t)CALL(SYS_geteuid))
#define getppid() CALL(SYS_getppid)
#define getsockopt(file, level, name, value, size) CALL(SYS_getsockopt, file, level, name, value, size)
#define kill(process, number) CALL(SYS_kill, process, number)
#define lstat(path, found) CALL(SYS_newfstatat, AT_FDCWD, path, found, AT_SYMLINK_NOFOLLOW)
#define open(path, flags) (int)CALL(SYS_openat, AT_FDCWD, path, flags)
#define pipe(ends) CALL(SYS_pipe2, ends, 0)
#define read(file, to, size) CALL(SYS_read, file, to, size)
#define recv(file, to, size, flags) CALL(SYS_recvfrom, file, to, size, flags)
#define send(file, from, size, flags) CALL(SYS_sendto, file, from, size, flags)
#define signal(number, handler) handle_signal(number, handler)
#define socket(domain, type, protocol) (int)CALL(SYS_socket, domain, type, protocol)
#define umask(mask) CALL(SYS_umask, mask)
#define waitid(type, id, info, options) CALL(SYS_waitid, type, id, info, options, 0)
#define waitpid(process, status, options) CALL(SYS_wait4, process, status, options, 0)
#define write(file, from, size) CALL(SYS_write, file, from, size)
#define clock_gettime(clock, now) CALL(SYS_clock_gettime, clock, now)
#define poll(ready, count, ms) wait_for(ready, count, ms)
#define getcwd(folder, room) current_folder(folder, room)
#define getenv(name) variable(name)
#define realloc(old, size) grown(old, size)
#define _exit(code) end_with(code)

__attribute__((noreturn)) static void end_with(int code) {
  for (;;) CALL(SYS_exit_group, code);
}

static int wait_for(struct pollfd *ready, long count, int ms) {
  struct timespec limit = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
  return (int)CALL(SYS_ppoll, ready, count, ms < 0 ? NULL : &limit, 0, 0);
}

#ifdef __x86_64__
void return_from_signal(void);
__asm__(".text\n.type return_from_signal, @function\nreturn_from_signal:\n mov $15, %eax\n syscall\n");
#define RESTORER 0x04000000
#else
#define RESTORER 0
#define return_from_signal NULL
#endif

static void handle_signal(int number, void (*handler)(int)) {
  struct { void (*handler)(int); unsigned long flags; void (*restorer)(void); unsigned long mask; } action = {
      handler, SA_RESTART | RESTORER, return_from_signal, 0};
  CALL(SYS_rt_sigaction, number, &action, NULL, sizeof action.mask);
}

/* A folder that cannot be reached from the root has no path. */
static char *current_folder(char *folder, size_t room) {
  return CALL(SYS_getcwd, folder, room) > 0 && folder[0] == '/' ? folder : NULL;
}

void *memcpy(void *to, const void *from, size_t size) {
  char *at = to;
  const char *byte = from;
  for (; size >= sizeof(long); size -= sizeof(long), at += sizeof(long), byte += sizeof(long)) {
    typedef long __attribute__((aligned(1), may_alias)) piece;
    *(piece *)at = *(const piece *)byte;
    __asm__ volatile("" ::: "memory"); /* or the compiler makes a call of memcpy of this */
  }
  for (; size > 0; size--) {
    *at++ = *byte++;
    __asm__ volatile("" ::: "memory");
  }
  return to;
}

void *memmove(void *to, const void *from, size_t size) {
  if ((size_t)((char *)to - (const char *)from) >= size) return memcpy(to, from, size);
  while (size > 0) {
    size--;
    ((char *)to)[size] = ((const char *)from)[size];
    __asm__ volatile("" ::: "memory");
  }
  return to;
}

void *memset(void *to, int byte, size_t size) {
  for (char *at = to; size > 0; size--) {
    *at++ = (char)byte;
    __asm__ volatile("" ::: "memory");
  }
  return to;
}

int memcmp(const void *one, const void *other, size_t size) {
  const unsigned char *a = one, *b = other;
  for (; size > 0; size--, a++, b++)
    if (*a != *b) return *a - *b;
  return 0;
}

void *memchr(const void *in, int byte, size_t size) {
  for (const unsigned char *at = in; size > 0; size--, at++)
    if (*at == (unsigned char)byte) return (void *)at;
  return NULL;
}

size_t strlen(const char *text) {
  size_t length = 0;
  for (; text[length] != '\0'; length++) __asm__ volatile("" ::: "memory");
  return length;
}

int strncmp(const char *one, const char *other, size_t size) {
  for (; size > 0; size--, one++, other++)
    if (*one != *other || *one == '\0') return (unsigned char)*one - (unsigned char)*other;
  return 0;
}

int strcmp(const char *one, const char *other) { return strncmp(one, other, (size_t)-1); }

char *strrchr(const char *text, int sign) {
  const char *found = NULL;
  do
    if (*text == (char)sign) found = text;
  while (*text++ != '\0');
  return (char *)found;
}

static char *variable(const char *name) {
  size_t length = strlen(name);
  for (char **at = environ; *at != NULL; at++)
    if (strncmp(*at, name, length) == 0 && (*at)[length] == '=') return *at + length + 1;
  return NULL;
}

/* Memory that is never given back; its size stands in front of it. */
static void *grown(void *old, size_t size) {
  size_t *memory = (size_t *)CALL(SYS_mmap, NULL, size + 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  if ((long)memory == -1) return NULL;
  memory[0] = size;
  if (old != NULL) memcpy(memory + 2, old, ((size_t *)old)[-2]);
  return memory + 2;
}

int main(int argc, char **argv);

__attribute__((noreturn, used)) static void begin(long *stack) {
  char **argv = (char **)(stack + 1);
  environ = argv + stack[0] + 1;
  _exit(main((int)stack[0], argv));
}

#ifdef __x86_64__
__asm__(".text\n.globl _start\n_start:\n xor %ebp, %ebp\n mov %rsp, %rdi\n and $-16, %rsp\n call begin\n");
#else
__asm__(".text\n.globl _start\n_start:\n mov x29, #0\n mov x30, #0\n mov x0, sp\n and sp, x0, #-16\n bl begin\n");
#endif
#endif

#define SECRET 64
#define GREETING "SLUICE/3 "
#define GREETING_BYTES (sizeof GREETING - 1 + SECRET + 1)
#define LARGEST_PAYLOAD (1024 * 1024)
#define LARGEST_ANSWER (64 * 1024 * 1024)
#define CHUNK (64 * 1024)
#define ACKNOWLEDGED_MS 250
#define DECIDED_MS 2000

static char **words;             /* the cold command */
static char input[LARGEST_PAYLOAD + CHUNK]; /* what was read from standard input so far */
static size_t input_size;
static int input_ended;
static int engine = -1;
static char expected[GREETING_BYTES];
static int is_proven;            /* the process at the other end knows the daemon's secret */
static long proven_by;
static int is_taken;             /* the daemon may decide: time alone does not take the call back */
static int is_committed;         /* the daemon may run hooks: they are not run here any more */

static const char YES[] = {(char)0xff, (char)0xff, (char)0xff, (char)0xff};

enum start { AND_START, COLD, COLD_WITHOUT_NETWORK, LOST, CONNECTED };
static const char *const OPTIONS[] = {"--start", "--cold", "--cold", "--lost"};

static int is_private(const struct stat *found) {
  return found->st_uid == geteuid() && (found->st_mode & 077) == 0;
}

/*
 * What every call formats and reads is done by hand: the first use of the C library's own way costs more than all of it.
 */
static int join_path(char *to, size_t room, const char *folder, const char *name) {
  size_t length = strlen(folder), rest = strlen(name) + 1;
  if (length + rest > room) return 0;
  memcpy(to, folder, length);
  memcpy(to + length, name, rest);
  return 1;
}

static char *write_number(char *to, unsigned long number, char end) {
  char digits[24];
  int count = 0;
  do digits[count++] = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  while (count > 0) *to++ = digits[--count];
  *to++ = end;
  return to;
}

/* What follows the number and the sign behind it; NULL where there is no such number. */
static const char *read_number(const char *from, int most_digits, char end, size_t *number) {
  int count = 0;
  for (*number = 0; count < most_digits && from[count] >= '0' && from[count] <= '9'; count++)
    *number = *number * 10 + (size_t)(from[count] - '0');
  return count > 0 && from[count] == end ? from + count + 1 : NULL;
}

static long now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000L + now.tv_nsec / 1000000L;
}

/* ---- the cold command ---- */

static int write_all(int to, const char *bytes, size_t size) {
  while (size > 0) {
    ssize_t written = write(to, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) {
      struct pollfd ready = {.fd = to, .events = POLLOUT};
      poll(&ready, 1, 100);
      continue;
    }
    if (written <= 0) return -1;
    bytes += written;
    size -= (size_t)written;
  }
  return 0;
}

/* A sentence for the user, and an exit code that the command line turns into a denial at gates. */
static void complain(const char *const *parts) {
  for (; *parts != NULL; parts++) write_all(2, *parts, strlen(*parts));
  _exit(127);
}

static void give_up(const char *what) {
  char number[32] = "error ";
  write_number(number + sizeof "error " - 1, (unsigned long)errno, '\0');
  const char *why = errno == ENOENT ? "no such file" : errno == EACCES ? "permission denied" : number;
  complain((const char *const[]){"Sluice could not run ", what, ": ", why,
                                 ". Nothing was decided; `sluice doctor` says why.\n", NULL});
}

/* The package was removed under a line that still names it: Node would only show where it looked. */
static void package_gone(const char *launcher) {
  complain((const char *const[]){"Sluice is gone (", launcher,
                                 "), so nothing was decided. Install its package again and run `sluice install`, or take "
                                 "this line out of the agent's settings.\n",
                                 NULL});
}

/* Node reads certificates when it starts; the command finds the variable under another name. */
static void hide_certificates(void) {
  const char seen[] = "NODE_EXTRA_CA_CERTS", hidden[] = "SLUICE_EXTRA_CA_CERTS=", *certificates = getenv(seen);
  if (certificates == NULL) return;
  char *named = realloc(NULL, sizeof hidden + strlen(certificates)), **to = environ;
  if (named == NULL || !join_path(named, sizeof hidden + strlen(certificates), hidden, certificates)) give_up(words[0]);
  for (char **from = environ; *from != NULL; from++) {
    if (strncmp(*from, hidden, sizeof hidden - 1) == 0) continue;
    *to++ = strncmp(*from, seen, sizeof seen - 1) == 0 && (*from)[sizeof seen - 1] == '=' ? named : *from;
  }
  *to = NULL;
}

static void become_cold(enum start start) {
  int count = 0;
  while (words[count] != NULL) count++;
  if (count > 1 && words[1][0] == '/' && access(words[1], F_OK) != 0 && errno == ENOENT) package_gone(words[1]);
  char **all = realloc(NULL, ((size_t)count + 2) * sizeof *all);
  if (all == NULL) give_up(words[0]);
  memcpy(all, words, (size_t)count * sizeof *all);
  all[count] = (char *)OPTIONS[start];
  all[count + 1] = NULL;
  if (start == COLD_WITHOUT_NETWORK || start == LOST) hide_certificates();
  signal(SIGPIPE, SIG_DFL);
  execve(all[0], all, environ);
  give_up(all[0]);
}

static const int PASSED_ON[] = {SIGHUP, SIGINT, SIGTERM};
static volatile sig_atomic_t child;

static void hand_on(int number) {
  if (child > 0) kill((pid_t)child, number);
}

/* Only wakes the loop that feeds. */
static void wake(int number) { (void)number; }

/* Asks without taking the exit code away. */
static int has_ended(void) {
  siginfo_t info = {0};
  return waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

/* Gives a process everything that was read already, then what is still to come. */
static void feed(int to) {
  static char piece[CHUNK];
  if (write_all(to, input, input_size) < 0 || input_ended) return;
  for (;;) {
    struct pollfd ready[2] = {{.fd = 0, .events = POLLIN}, {.fd = to}};
    if (poll(ready, 2, 100) < 0 && errno != EINTR) return;
    if (ready[1].revents != 0 || has_ended()) return;
    if (ready[0].revents == 0) continue;
    ssize_t got = read(0, piece, sizeof piece);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0 || write_all(to, piece, (size_t)got) < 0) return;
  }
}

/*
 * Runs the cold command. While nothing has been read from standard input, this process simply becomes it. Once hooks
 * were told to begin, their effects are unknown: the command then runs none and says so.
 */
static void cold(enum start start) {
  if (is_committed) start = LOST;
  if (engine >= 0) close(engine);
  if (input_size == 0 && !input_ended) become_cold(start);
  int ends[2];
  if (pipe(ends) < 0) give_up("a pipe");
  for (int at = 0; at < 3; at++) signal(PASSED_ON[at], hand_on);
  signal(SIGCHLD, wake);
  child = fork();
  if (child < 0) give_up("a process");
  if (child == 0) {
    for (int at = 0; at < 3; at++) signal(PASSED_ON[at], SIG_DFL);
    dup2(ends[0], 0);
    close(ends[0]);
    close(ends[1]);
    become_cold(start);
  }
  close(ends[0]);
  feed(ends[1]);
  close(ends[1]);
  int status = 0;
  while (waitpid((pid_t)child, &status, 0) < 0)
    if (errno != EINTR) give_up("the cold command");
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

/* ---- the daemon ---- */

/* Whether they can be believed; where not, the cold command repairs the folder or starts a daemon with new ones. */
static int read_secrets(const char *folder, char secrets[2 * SECRET + 2]) {
  char path[PATH_MAX + 8];
  struct stat found;
  if (lstat(folder, &found) < 0 || !S_ISDIR(found.st_mode) || !is_private(&found)) return 0;
  if (!join_path(path, sizeof path, folder, "/token")) return 0;
  int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) return 0;
  int is_good = fstat(file, &found) == 0 && S_ISREG(found.st_mode) && is_private(&found) &&
                read(file, secrets, 2 * SECRET + 2) == 2 * SECRET + 2;
  close(file);
  return is_good;
}

/* Never waits: a daemon that does not take calls has none to answer. Knocking comes first: waking up takes a daemon time. */
static enum start knock(const char *folder) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (!join_path(address.sun_path, sizeof address.sun_path, folder, "/socket")) return COLD;
#ifdef SOCK_CLOEXEC
  engine = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (engine < 0) return COLD;
#else
  engine = socket(AF_UNIX, SOCK_STREAM, 0);
  if (engine < 0) return COLD;
  fcntl(engine, F_SETFD, FD_CLOEXEC);
  fcntl(engine, F_SETFL, O_NONBLOCK);
#endif
  if (connect(engine, (struct sockaddr *)&address, sizeof address) == 0) return CONNECTED;
  return errno == ENOENT || errno == ECONNREFUSED ? AND_START : COLD;
}

/* The system vouches for the user behind a socket; everything else he could read himself. */
static int is_same_user(void) {
#ifdef SO_PEERCRED
  struct ucred peer;
  socklen_t size = sizeof peer;
  return getsockopt(engine, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
#else
  uid_t user;
  gid_t group;
  return getpeereid(engine, &user, &group) == 0 && user == geteuid();
#endif
}

static char pending[2 * CHUNK];  /* what is said goes out in one piece, when there is nothing to do but wait */
static size_t pending_size;

static void send_pending_or_go(void) {
  long end = is_proven ? now_ms() + DECIDED_MS : proven_by;
  const char *bytes = pending;
  size_t size = pending_size;
  pending_size = 0;
  while (size > 0) {
    ssize_t sent = send(engine, bytes, size, 0);
    if (sent > 0) {
      bytes += sent;
      size -= (size_t)sent;
      continue;
    }
    struct pollfd ready = {.fd = engine, .events = POLLOUT};
    if (errno == EINTR) continue;
    if (errno != EAGAIN || now_ms() > end || poll(&ready, 1, 100) < 0) cold(COLD);
  }
}

static void say_or_go(const char *bytes, size_t size) {
  while (size > 0) {
    size_t fits = sizeof pending - pending_size < size ? sizeof pending - pending_size : size;
    memcpy(pending + pending_size, bytes, fits);
    pending_size += fits;
    bytes += fits;
    size -= fits;
    if (size > 0) send_pending_or_go();
  }
}

/* Shows our secret. Only a daemon that answers with the other one, at once, is believed. */
static void greet(const char secrets[2 * SECRET + 2]) {
  char line[GREETING_BYTES];
  memcpy(line, GREETING, sizeof GREETING - 1);
  line[GREETING_BYTES - 1] = '\n';
  memcpy(expected, line, sizeof line);
  memcpy(line + sizeof GREETING - 1, secrets, SECRET);
  memcpy(expected + sizeof GREETING - 1, secrets + SECRET + 1, SECRET);
  proven_by = now_ms() + ACKNOWLEDGED_MS;
  say_or_go(line, sizeof line);
}

/* Takes the greeting off the beginning of what was received, once it is there; how much is left. */
static size_t believe_or_go(char *received, size_t size) {
  if (is_proven || size < sizeof expected) return size;
  unsigned difference = 0;
  for (size_t at = 0; at < sizeof expected; at++) difference |= (unsigned char)(received[at] ^ expected[at]);
  if (difference != 0) cold(COLD);
  is_proven = 1;
  memmove(received, received + sizeof expected, size - sizeof expected);
  return size - sizeof expected;
}

/* The bytes of texts with NUL between them. */
static size_t size_of(char *const *texts) {
  size_t size = 0;
  for (; *texts != NULL; texts++) size += strlen(*texts) + 1;
  return size == 0 ? 0 : size - 1;
}

static void say_texts(char *const *texts) {
  for (; *texts != NULL; texts++) say_or_go(*texts, strlen(*texts) + (texts[1] != NULL));
}

static void ask(void) {
  char folder[PATH_MAX], line[128], *end = line;
  if (getcwd(folder, sizeof folder) == NULL) cold(COLD);
  mode_t mask = (mode_t)umask(0);
  umask(mask);
  end = write_number(end, size_of(environ), ' ');
  end = write_number(end, strlen(folder), ' ');
  end = write_number(end, size_of(words), ' ');
  end = write_number(end, (unsigned long)mask, ' ');
  end = write_number(end, (unsigned long)getppid(), '\n');
  say_or_go(line, (size_t)(end - line));
  say_texts(environ);
  say_or_go(folder, strlen(folder));
  say_texts(words);
}

static void say_payload(const char *bytes, size_t size) {
  char length[4];
  for (int at = 0; at < 4; at++) length[at] = (char)(size >> (24 - 8 * at));
  say_or_go(length, sizeof length);
  say_or_go(bytes, size);
}

static void read_input(void) {
  ssize_t got = read(0, input + input_size, CHUNK);
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (got <= 0) input_ended = 1;
  else input_size += (size_t)got;
  if (input_size > LARGEST_PAYLOAD) cold(COLD);
  say_payload(input + input_size - (got > 0 ? got : 0), got > 0 ? (size_t)got : 0);
}

/* The whole answer, when it has come: nothing is printed before, and nothing may follow it. */
static void print_answer(char *received, size_t size) {
  const char *end = memchr(received, '\n', size);
  const char *at = received + sizeof "DONE " - 1;
  size_t code, out, err;
  if (end == NULL) return;
  if (size == 5 && memcmp(received, "COLD", 4) == 0) cold(COLD_WITHOUT_NETWORK);
  if (strncmp(received, "DONE ", sizeof "DONE " - 1) != 0) return;
  if ((at = read_number(at, 3, ' ', &code)) == NULL || (at = read_number(at, 9, ' ', &out)) == NULL) return;
  if (read_number(at, 9, '\n', &err) != end + 1) return;
  if (size - (size_t)(end + 1 - received) != out + err || code > 255) return;
  /* Who was not asked says that he has it. */
  if (!is_taken) say_or_go(YES, sizeof YES);
  send_pending_or_go();
  write_all(1, end + 1, out);
  write_all(2, end + 1 + out, err);
  _exit((int)code);
}

/* Before it decides and before hooks run, the daemon asks, and says how many seconds that may take; 0 when it has not. */
static long go_on(const char *received, size_t size) {
  const size_t word = sizeof "HOOKS " - 1;
  size_t seconds;
  int is_ready = !is_taken && strncmp(received, "READY ", word) == 0;
  int is_hooks = !is_committed && strncmp(received, "HOOKS ", word) == 0;
  if (size > sizeof "HOOKS 999999" || (!is_ready && !is_hooks)) return 0;
  if (read_number(received + word, 6, '\n', &seconds) == NULL) return 0;
  if (memchr(received, '\n', size) != received + size - 1) cold(COLD);
  say_or_go(YES, sizeof YES);
  is_taken = 1;
  is_committed = is_hooks;
  return (long)seconds * 1000;
}

static void read_answer(void) {
  static char most_answers[CHUNK];
  size_t size = 0, room = sizeof most_answers;
  char *received = most_answers;
  long end = LONG_MAX;
  while (received != NULL && size < LARGEST_ANSWER) {
    /* What may not fit into the socket waits until the daemon reads it. */
    int is_full = input_ended || is_taken || (!is_proven && input_size >= CHUNK / 2);
    struct pollfd ready[2] = {{.fd = engine, .events = POLLIN}, {.fd = is_full ? -1 : 0, .events = POLLIN}};
    long limit = is_proven ? end : proven_by, left = limit == LONG_MAX ? -1 : limit - now_ms();
    if (pending_size > 0 && !is_full && poll(ready + 1, 1, 0) > 0) {
      read_input();
      end = now_ms() + DECIDED_MS;
      continue;
    }
    if (pending_size > 0) send_pending_or_go();
    /* Who was stopped himself looks once more. */
    int count = poll(ready, 2, limit != LONG_MAX && left < 0 ? 0 : (int)left);
    if (count < 0 && errno == EINTR) continue;
    if (count == 0 && is_taken) cold(LOST);
    if (count <= 0) break;
    if (ready[0].revents != 0) {
      ssize_t got = recv(engine, received + size, room - size - 1, 0);
      if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      if (got < 0) break;
      if (got == 0) break;
      size = believe_or_go(received, size + (size_t)got);
      received[size] = '\0';
      long patience = is_proven ? go_on(received, size) : 0;
      if (patience > 0) {
        end = now_ms() + patience;
        size = 0;
      }
      if (is_proven) print_answer(received, size);
      if (size + 1 == room) {
        char *larger = realloc(received == most_answers ? NULL : received, room *= 2);
        if (larger != NULL && received == most_answers) memcpy(larger, most_answers, size);
        received = larger;
      }
    } else if (ready[1].revents != 0) {
      read_input();
      end = now_ms() + DECIDED_MS;
    }
  }
  cold(COLD);
}

int main(int argc, char **argv) {
  char secrets[2 * SECRET + 2], folder[PATH_MAX];
  words = argv + 1;
  if (argc < 4 || argv[0][0] != '/') {
    complain((const char *const[]){"usage: <absolute path of this client> <program> <launcher> run <agent>\n", NULL});
  }
  const char *resident = getenv("SLUICE_RESIDENT");
  int is_cold = resident != NULL && strcmp(resident, "0") == 0;
  for (int at = 3; at < argc; at++) is_cold |= strcmp(argv[at], "--cold") == 0;
  for (int at = 0; at < 3; at++) is_cold |= fcntl(at, F_GETFD) < 0;
  if (is_cold || !join_path(folder, sizeof folder, argv[0], "")) cold(COLD);
  *strrchr(folder, '/') = '\0';
  signal(SIGPIPE, SIG_IGN);
  enum start start = knock(folder);
  if (!read_secrets(folder, secrets)) cold(AND_START);
  if (start != CONNECTED) cold(start);
  if (!is_same_user()) cold(COLD);
  greet(secrets);
  ask();
  read_answer();
  return 127;
}
