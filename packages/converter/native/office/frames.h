/* Messages on a byte stream: a length of four bytes, little-endian, then NUL-terminated fields. */
#ifndef KILN_FRAMES_H
#define KILN_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

enum { LONGEST_FRAME = 1 << 20, MOST_FIELDS = 64 };

struct message {
	char *field[MOST_FIELDS];
	int fields;
	/* The bytes that the fields point into; freed by free_message. */
	char *bytes;
	size_t length;
};

/* Blocks until a whole message is read. False at the end of the stream or if it is malformed. */
bool read_message(int descriptor, struct message *message);

void free_message(struct message *message);

/* Writes the bytes of a message preceded by their length. False if the reader has closed the stream. */
bool write_message(int descriptor, const char *bytes, size_t length);

/* Collects fields and writes them as one message. */
struct outgoing {
	char bytes[512];
	size_t length;
};

__attribute__((format(printf, 2, 3))) void add_field(struct outgoing *message, const char *format, ...);

#endif
