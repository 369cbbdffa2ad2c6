// Starts the command of a request.

#ifndef KILN_LAUNCHER_START_H
#define KILN_LAUNCHER_START_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// Descriptors that a command gets in addition to its streams, 0 to 3.
enum { filter_descriptor = 4, options_descriptor = 5 };

struct request {
  const char *streams, *user, *group, *filter, *directory;
  const char *options;
  size_t options_length;
  char **environment, **arguments;
};

// Splits the strings of a request in place; launcher.c describes them. False if it is incomplete.
bool parse_request(char *text, size_t length, struct request *request, char **pointers, size_t capacity);

// An unnamed memory file, positioned at its beginning; -1 on error.
int file_with(const char *bytes, size_t length);

// Starts the command with these descriptors (-1: none), and returns its PID or a negative error number.
pid_t start_command(const struct request *request, int wanted[options_descriptor + 1]);

#endif
