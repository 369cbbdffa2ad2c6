// Starts the commands of sandboxes for the service. fork() copies the page tables of its caller, and the caller's
// threads then take a page fault for every page that they write. For a service of 300 MB that is 20 ms in which its
// event loop is blocked; for this program it is a fraction of a millisecond.
//
// Usage: kiln-launcher SOCKET
//
// It listens on SOCKET, writes "ready\n" to stdout, and ends when its stdin closes: the service has ended. It removes
// the socket with its directory then, and its children are killed by their parent death signal.
//
// For every command the service makes several connections. Each begins with nine bytes: a letter, the number of the
// command and a value, both 32 bits in the byte order of the machine.
//
//   S number descriptor   The connection becomes this descriptor (0 to 3) of the command.
//   C number length       A request of this length follows. The answers on this connection are a letter and a value of
//                         32 bits: `p` the process id, or `e` the error that prevented the start; later `u` and its
//                         CPU time in milliseconds, and `x` and the status that wait() returned.
//   O process 0           Asks for the CPU time of an orphan, with the children that it waited for. The answer is `u` and
//                         the time once the orphan has ended; 0 if this program never was its parent.
//
// A request waits until all its connections are there. It consists of strings that end with a NUL: descriptors that
// connections become ("0123" or fewer; the others are /dev/null), user id, group id (both empty to keep the own ones),
// path of the seccomp filter (empty without one; otherwise descriptor 4), working directory, number of environment
// variables, these variables, number of options, these options (which the command can read from descriptor 5, where they
// are not visible to others as arguments are), and the command with its arguments.

#define _GNU_SOURCE
#include "orphans.h"
#include "start.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { header_bytes = 9, max_request = 1 << 20, max_connections = 4096, streams = 4 };

enum state { reading_header, reading_request, is_stream, is_request, is_running, is_asking };

struct connection {
  int descriptor;
  enum state state;
  uint32_t number;
  uint32_t value;  // of the header: the descriptor of a stream, the length of a request
  char *buffer;
  size_t received;
  pid_t pid;
};

static struct connection connections[max_connections];
static size_t count;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void drop(size_t index) {
  close(connections[index].descriptor);
  free(connections[index].buffer);
  connections[index] = connections[--count];
}

static void answer(const struct connection *to, char letter, int32_t value) {
  char message[5] = {letter};
  memcpy(message + 1, &value, sizeof value);
  // The service has closed the connection or reads it: five bytes always fit.
  if (send(to->descriptor, message, sizeof message, MSG_NOSIGNAL) < 0 && errno != EPIPE && errno != ECONNRESET)
    perror("send");
}

static size_t find_stream(uint32_t number, uint32_t descriptor) {
  for (size_t index = 0; index < count; index++) {
    const struct connection *each = &connections[index];
    if (each->state == is_stream && each->number == number && each->value == descriptor) return index;
  }
  return count;
}

// Starts the command of a request if all of its connections have arrived.
static void try_start(size_t index) {
  struct connection *control = &connections[index];
  struct request request;
  char *pointers[4096];
  if (!parse_request(control->buffer, control->value, &request, pointers, sizeof pointers / sizeof *pointers)) {
    answer(control, 'e', EINVAL);
    drop(index);
    return;
  }
  for (const char *each = request.streams; *each != 0; each++)
    if (find_stream(control->number, (uint32_t)(*each - '0')) == count) return;
  int wanted[options_descriptor + 1] = {-1, -1, -1, -1, -1, -1};
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int each = 0; each < streams; each++) {
    size_t found = find_stream(control->number, (uint32_t)each);
    wanted[each] = found == count ? null : connections[found].descriptor;
  }
  int filter = *request.filter == 0 ? -1 : open(request.filter, O_RDONLY | O_CLOEXEC);
  wanted[filter_descriptor] = filter;
  int options = request.options_length == 0 ? -1 : file_with(request.options, request.options_length);
  wanted[options_descriptor] = options;
  bool has_all = null >= 0 && (filter >= 0 || *request.filter == 0) && (options >= 0 || request.options_length == 0);
  pid_t pid = has_all ? start_command(&request, wanted) : -errno;
  if (filter >= 0) close(filter);
  if (options >= 0) close(options);
  if (null >= 0) close(null);
  uint32_t number = control->number;
  answer(control, pid < 0 ? 'e' : 'p', pid < 0 ? -pid : pid);
  control->pid = pid;
  control->state = is_running;
  if (pid < 0) drop(index);
  for (uint32_t each = 0; each < streams; each++) {
    size_t found = find_stream(number, each);
    if (found != count) drop(found);
  }
}

static void try_request(uint32_t number) {
  for (size_t index = 0; index < count; index++)
    if (connections[index].state == is_request && connections[index].number == number) return try_start(index);
}

static int32_t milliseconds(const struct timeval *time) {
  return (int32_t)(time->tv_sec * 1000 + time->tv_usec / 1000);
}

static void answer_about_orphan(size_t index) {
  int32_t used = 0;
  pid_t pid = connections[index].pid;
  if (!take_orphan(pid, &used) && is_child(pid)) return;
  answer(&connections[index], 'u', used);
  drop(index);
}

static void answer_about_orphans(pid_t pid) {
  for (size_t index = count; index-- > 0;)
    if (connections[index].state == is_asking && connections[index].pid == pid) answer_about_orphan(index);
}

static void read_header(size_t index) {
  struct connection *each = &connections[index];
  char letter = each->buffer[0];
  memcpy(&each->number, each->buffer + 1, sizeof each->number);
  memcpy(&each->value, each->buffer + 5, sizeof each->value);
  each->received = 0;
  if (letter == 'S' && each->value < streams) {
    each->state = is_stream;
    fcntl(each->descriptor, F_SETFL, 0);
    try_request(each->number);
  } else if (letter == 'O') {
    each->pid = (pid_t)each->number;
    each->state = is_asking;
    answer_about_orphan(index);
  } else if (letter == 'C' && each->value <= max_request && (each->buffer = realloc(each->buffer, each->value + 1)))
    each->state = reading_request;
  else
    drop(index);
}

// Never reads more than expected: the bytes after the header of a stream belong to the command.
static void receive(size_t index) {
  struct connection *each = &connections[index];
  size_t expected = each->state == reading_header ? header_bytes : each->value;
  ssize_t bytes = read(each->descriptor, each->buffer + each->received, expected - each->received);
  if (bytes < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (bytes <= 0) return drop(index);
  each->received += (size_t)bytes;
  if (each->received < expected) return;
  if (each->state == reading_header) return read_header(index);
  each->state = is_request;
  try_start(index);
}

static void take_connection(int listener) {
  int descriptor = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (descriptor < 0) return;
  struct ucred peer;
  socklen_t length = sizeof peer;
  char *buffer = malloc(header_bytes);
  bool is_service = getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.uid == getuid();
  if (!is_service || buffer == NULL || count == max_connections) {
    free(buffer);
    close(descriptor);
    return;
  }
  connections[count++] = (struct connection){.descriptor = descriptor, .state = reading_header, .buffer = buffer};
}

static size_t find_running(pid_t pid) {
  size_t index = 0;
  while (index < count && !(connections[index].state == is_running && connections[index].pid == pid)) index++;
  return index;
}

static void report_ended(void) {
  int status;
  struct rusage usage;
  for (pid_t pid = wait4(-1, &status, WNOHANG, &usage); pid > 0; pid = wait4(-1, &status, WNOHANG, &usage)) {
    int32_t used = milliseconds(&usage.ru_utime) + milliseconds(&usage.ru_stime);
    size_t index = find_running(pid);
    if (index == count) {
      remember_orphan(pid, used);
      answer_about_orphans(pid);
      continue;
    }
    answer(&connections[index], 'u', used);
    answer(&connections[index], 'x', status);
    drop(index);
  }
}

static int listen_on(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) {
    fprintf(stderr, "The path of the socket is too long: %s\n", path);
    exit(1);
  }
  strcpy(address.sun_path, path);
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) < 0 || listen(listener, 1024) < 0)
    fail("listen");
  return listener;
}

int main(int arguments, char **argument) {
  if (arguments != 2 || strchr(argument[1], '/') == NULL) {
    fprintf(stderr, "usage: kiln-launcher SOCKET\n");
    return 2;
  }
  // Descriptors that the service inherited from its parent, such as a lock, must not reach a command.
  if (close_range(STDERR_FILENO + 1, ~0U, 0) < 0) fail("close_range");
  // Descriptors below 6 are reserved for those that a command gets.
  while (true) {
    int reserved = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (reserved > options_descriptor && close(reserved) == 0) break;
    if (reserved < 0) fail("/dev/null");
  }
  if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0) fail("prctl");
  signal(SIGPIPE, SIG_IGN);
  sigset_t ended;
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  sigprocmask(SIG_BLOCK, &ended, NULL);
  int children = signalfd(-1, &ended, SFD_CLOEXEC | SFD_NONBLOCK);
  int listener = listen_on(argument[1]);
  if (children < 0) fail("signalfd");
  if (write(STDOUT_FILENO, "ready\n", 6) != 6) fail("stdout");
  static struct pollfd polled[max_connections + 3];
  while (true) {
    polled[0] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
    polled[1] = (struct pollfd){.fd = children, .events = POLLIN};
    polled[2] = (struct pollfd){.fd = listener, .events = POLLIN};
    size_t polled_count = count;
    for (size_t index = 0; index < count; index++) {
      bool reads = connections[index].state <= reading_request;
      polled[index + 3] = (struct pollfd){.fd = reads ? connections[index].descriptor : -1, .events = POLLIN};
    }
    if (poll(polled, polled_count + 3, -1) < 0 && errno != EINTR) fail("poll");
    if (polled[0].revents) {
      unlink(argument[1]);
      *strrchr(argument[1], '/') = 0;
      rmdir(argument[1]);
      return 0;
    }
    // From the last to the first, because dropping one moves the last to its place. It may also move others that were
    // not polled yet; these are polled again in the next round.
    for (size_t index = polled_count; index-- > 0;)
      if (index < count && polled[index + 3].revents && connections[index].descriptor == polled[index + 3].fd)
        receive(index);
    if (polled[1].revents) {
      struct signalfd_siginfo ignored;
      while (read(children, &ignored, sizeof ignored) > 0) continue;
      report_ended();
    }
    if (polled[2].revents) take_connection(listener);
  }
}
