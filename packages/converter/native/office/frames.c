#include "frames.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static bool read_all(int descriptor, char *into, size_t length)
{
	while (length > 0) {
		ssize_t got = read(descriptor, into, length);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		into += got;
		length -= (size_t)got;
	}
	return true;
}

static bool write_all(int descriptor, const char *from, size_t length)
{
	while (length > 0) {
		ssize_t put = write(descriptor, from, length);
		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return false;
		from += put;
		length -= (size_t)put;
	}
	return true;
}

static bool split(struct message *message)
{
	message->fields = 0;
	if (message->length == 0 || message->bytes[message->length - 1] != '\0')
		return false;
	for (size_t at = 0; at < message->length; at += strlen(message->bytes + at) + 1) {
		if (message->fields == MOST_FIELDS)
			return false;
		message->field[message->fields++] = message->bytes + at;
	}
	return true;
}

bool read_message(int descriptor, struct message *message)
{
	unsigned char head[4];
	message->bytes = NULL;
	if (!read_all(descriptor, (char *)head, sizeof head))
		return false;
	message->length = head[0] | (size_t)head[1] << 8 | (size_t)head[2] << 16 | (size_t)head[3] << 24;
	if (message->length > LONGEST_FRAME)
		return false;
	message->bytes = malloc(message->length + 1);
	if (message->bytes && read_all(descriptor, message->bytes, message->length) && split(message))
		return true;
	free_message(message);
	return false;
}

void free_message(struct message *message)
{
	free(message->bytes);
	message->bytes = NULL;
}

bool write_message(int descriptor, const char *bytes, size_t length)
{
	unsigned char head[4] = { length & 255, length >> 8 & 255, length >> 16 & 255, length >> 24 & 255 };
	return write_all(descriptor, (char *)head, sizeof head) && write_all(descriptor, bytes, length);
}

void add_field(struct outgoing *message, const char *format, ...)
{
	size_t room = sizeof message->bytes - message->length;
	va_list arguments;
	va_start(arguments, format);
	int wanted = vsnprintf(message->bytes + message->length, room, format, arguments);
	va_end(arguments);
	/* A field that is too long is truncated. */
	message->length += (wanted < 0 ? 0 : (size_t)wanted < room ? (size_t)wanted : room - 1) + 1;
}
