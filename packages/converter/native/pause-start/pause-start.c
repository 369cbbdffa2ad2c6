// Loads a program and pauses it just before its main function until its document is known.
//
// With this library preloaded, all libraries of a program are bound and no user data was read. It reports this with the
// line `ready` on stdout and reads its stdin to the end: variables as NAME=value, an empty field, and additional
// command line arguments. Each field ends with a zero byte. With empty input the program exits: it is not needed. After
// that stdin is empty, and the program runs as if it had just been started.
//
//   KILN_PAUSED_PROGRAM    name of the program that waits; others (those that start it) pass through

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int main_function(int, char **, char **);
typedef int start_function(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

enum { max_bytes = 64 * 1024, max_arguments = 1024, cannot_start = 125 };

static char text[max_bytes + 1];
static char *arguments[max_arguments + 2];

static int is_paused_program(const char *started_as) {
  const char *paused = getenv("KILN_PAUSED_PROGRAM");
  const char *slash = strrchr(started_as, '/');
  return paused != NULL && strcmp(paused, slash ? slash + 1 : started_as) == 0;
}

static size_t read_all(void) {
  size_t length = 0;
  for (;;) {
    ssize_t count = read(STDIN_FILENO, text + length, max_bytes - length);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 || length + (size_t)count == max_bytes) _exit(cannot_start);
    if (count == 0) return length;
    length += (size_t)count;
  }
}

static void empty_stdin(void) {
  int nothing = open("/dev/null", O_RDONLY);
  if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0) _exit(cannot_start);
  if (nothing != STDIN_FILENO) close(nothing);
}

static int wait_for_arguments(int argc, char **argv) {
  static const char ready[] = "ready\n";
  if (write(STDOUT_FILENO, ready, sizeof ready - 1) != sizeof ready - 1) _exit(cannot_start);
  size_t length = read_all();
  if (length == 0) _exit(0);
  empty_stdin();
  int count = 0;
  for (; count < argc; count++) {
    if (count > max_arguments) _exit(cannot_start);
    arguments[count] = argv[count];
  }
  char *at = text;
  for (; at < text + length && *at != '\0'; at += strlen(at) + 1)
    if (putenv(at) != 0) _exit(cannot_start);
  for (at += 1; at < text + length; at += strlen(at) + 1) {
    if (count > max_arguments) _exit(cannot_start);
    arguments[count++] = at;
  }
  return count;
}

int __libc_start_main(main_function *program, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end) {
  start_function *start = (start_function *)dlsym(RTLD_NEXT, "__libc_start_main");
  if (start == NULL) _exit(cannot_start);
  if (argc > 0 && is_paused_program(argv[0])) {
    argc = wait_for_arguments(argc, argv);
    argv = arguments;
    unsetenv("LD_PRELOAD");
    unsetenv("KILN_PAUSED_PROGRAM");
  }
  return start(program, argc, argv, init, fini, rtld_fini, stack_end);
}
