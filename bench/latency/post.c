/*
 * Posts the same call again and again on one connection, as an agent does that keeps it:
 *
 *     post <port> <rounds> <milliseconds between two> <file with the whole request>
 *
 * Prints the nanoseconds of each, from the first byte out to the last one in.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static long nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000L + now.tv_nsec;
}

/* Whether a whole answer is there; only 200 is one. */
static int is_whole(const char *received, size_t size) {
  const char *end = strstr(received, "\r\n\r\n");
  if (end == NULL) return 0;
  if (strncmp(received, "HTTP/1.1 200 ", 13) != 0) exit(4);
  const char *length = strcasestr(received, "\r\ncontent-length:");
  if (length == NULL || length > end) exit(5);
  return size >= (size_t)(end + 4 - received) + strtoul(length + 17, NULL, 10);
}

int main(int argc, char **argv) {
  static char request[65536], received[65536];
  if (argc != 5) return 2;
  int file = open(argv[4], O_RDONLY), on = 1, server = socket(AF_INET, SOCK_STREAM, 0);
  ssize_t length = read(file, request, sizeof request);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(argv[1]))};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  setsockopt(server, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (length <= 0 || connect(server, (struct sockaddr *)&address, sizeof address) < 0) return 3;
  struct timespec pause = {.tv_nsec = atol(argv[3]) * 1000000L};
  for (int round = 0; round < atoi(argv[2]); round++) {
    size_t size = 0;
    long began = nanoseconds();
    if (send(server, request, (size_t)length, 0) != length) return 3;
    do {
      ssize_t got = recv(server, received + size, sizeof received - 1 - size, 0);
      if (got <= 0) return 3;
      received[size += (size_t)got] = '\0';
    } while (!is_whole(received, size));
    printf("%ld\n", nanoseconds() - began);
    /* The engine writes its journal right after an answer; no call comes on the heels of another. */
    nanosleep(&pause, NULL);
  }
  return 0;
}
