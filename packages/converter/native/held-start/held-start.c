// Loads a program and holds it just before its main function, until its arguments are known.
//
// ffmpeg needs a tenth of a second to bind its two hundred libraries, and one conversion starts it three
// times. With this library preloaded, the later starts load while the earlier ones work: all libraries are
// in place, nothing of the user's file was read, and the program waits for a file with its arguments.
//
//   KILN_HELD_PROGRAM    name of the program that waits; others (those that start it) pass through
//   KILN_HELD_ARGUMENTS  path of the file: arguments, each ended by a zero byte. It appears whole, by a
//                        rename. An argument that is a byte 1 and a number stands for the argument of that
//                        number on the command line, where paths are as the sandbox gave them.
//                        An empty file ends the program: it is not needed.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef int main_function(int, char **, char **);
typedef int start_function(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

enum { most_bytes = 64 * 1024, most_arguments = 1024, cannot_start = 125 };

static char text[most_bytes + 1];
static char *arguments[most_arguments + 2];

static int is_held(const char *started_as) {
  const char *held = getenv("KILN_HELD_PROGRAM");
  const char *slash = strrchr(started_as, '/');
  return held != NULL && strcmp(held, slash ? slash + 1 : started_as) == 0;
}

// Looks often at first, because most waits are short, and seldom later.
static int open_when_there(const char *path) {
  struct timespec pause = {.tv_sec = 0, .tv_nsec = 500 * 1000};
  for (;;) {
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file >= 0) return file;
    if (errno != ENOENT) _exit(cannot_start);
    nanosleep(&pause, NULL);
    if (pause.tv_nsec < 8 * 1000 * 1000) pause.tv_nsec += pause.tv_nsec / 64 + 1;
  }
}

static int read_arguments(int argc, char **argv) {
  const char *path = getenv("KILN_HELD_ARGUMENTS");
  if (path == NULL) _exit(cannot_start);
  int file = open_when_there(path);
  size_t length = 0;
  for (;;) {
    ssize_t count = read(file, text + length, most_bytes - length);
    if (count < 0) _exit(cannot_start);
    if (count == 0) break;
    length += (size_t)count;
  }
  close(file);
  if (length == 0) _exit(0);
  int count = 0;
  arguments[count++] = argv[0];
  for (char *at = text; at < text + length; at += strlen(at) + 1) {
    if (count > most_arguments) _exit(cannot_start);
    if (at[0] == 1) {
      int number = atoi(at + 1);
      if (number < 1 || number >= argc) _exit(cannot_start);
      arguments[count++] = argv[number];
    } else {
      arguments[count++] = at;
    }
  }
  return count;
}

int __libc_start_main(main_function *program, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end) {
  start_function *start = (start_function *)dlsym(RTLD_NEXT, "__libc_start_main");
  if (start == NULL) _exit(cannot_start);
  if (argc > 0 && is_held(argv[0])) {
    argc = read_arguments(argc, argv);
    argv = arguments;
    unsetenv("LD_PRELOAD");
    unsetenv("KILN_HELD_PROGRAM");
    unsetenv("KILN_HELD_ARGUMENTS");
  }
  return start(program, argc, argv, init, fini, rtld_fini, stack_end);
}
