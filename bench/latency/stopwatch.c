/*
 * Measures programs from their start to their end, in turns, so that whatever else the machine does meets all of them:
 *
 *     stopwatch <rounds> <milliseconds between runs> <file with one command per line>
 *
 * A line is the file with the standard input and the words of the command, apart by tabs.
 *
 * Prints one line per run: the number of the command, its nanoseconds, its exit code, and the nanoseconds of processor time
 * that it took, which other programs on the machine disturb less. A program that spawns costs a node
 * process milliseconds; here it costs a fraction of one.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

#define MOST 32
static char *commands[MOST][32];

static long nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000L + now.tv_nsec;
}

static long processor_time(const struct rusage *used) {
  return (used->ru_utime.tv_sec + used->ru_stime.tv_sec) * 1000000000L +
         (used->ru_utime.tv_usec + used->ru_stime.tv_usec) * 1000L;
}

static int read_commands(const char *path) {
  static char line[65536];
  FILE *file = fopen(path, "r");
  int count = 0;
  while (file != NULL && count < MOST && fgets(line, sizeof line, file) != NULL) {
    int words = 0;
    line[strcspn(line, "\n")] = '\0';
    for (char *word = strtok(strdup(line), "\t"); word != NULL && words < 31; word = strtok(NULL, "\t"))
      commands[count][words++] = word;
    count += words > 0;
  }
  return count;
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  int rounds = atoi(argv[1]), pause = atoi(argv[2]), count = read_commands(argv[3]);
  for (int round = 0; round < rounds; round++) {
    for (int turn = 0; turn < count; turn++) {
      int which = (round + turn) % count, status = 0;
      posix_spawn_file_actions_t files;
      posix_spawn_file_actions_init(&files);
      posix_spawn_file_actions_addopen(&files, 0, commands[which][0], O_RDONLY, 0);
      posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
      posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
      struct rusage used;
      pid_t pid;
      long began = nanoseconds();
      if (posix_spawn(&pid, commands[which][1], &files, NULL, &commands[which][1], environ) != 0) return 3;
      wait4(pid, &status, 0, &used);
      long took = nanoseconds() - began;
      printf("%d %ld %d %ld\n", which, took, WIFEXITED(status) ? WEXITSTATUS(status) : 128, processor_time(&used));
      posix_spawn_file_actions_destroy(&files);
      usleep(pause * 1000);
    }
  }
  return 0;
}
