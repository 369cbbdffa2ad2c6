/* The LibreOffice inside this process. */
#ifndef KILN_LIBREOFFICE_H
#define KILN_LIBREOFFICE_H

#include <stdbool.h>

/* Starts it with a profile (a file URL) and calls `serve` on LibreOffice's main thread. */
void run_libreoffice(const char *installation, const char *profile, void (*serve)(void));

/* Runs a procedure of Kiln's Basic macro, with the plan in the environment. */
bool run_procedure(const char *name);

/* Adds fontconfig rules to those that it started with. */
void read_font_rules(const char *path);

/* Stops LibreOffice's helper threads: a fork copies only the calling thread. */
void join_threads(void);

/* Call once in a forked process. */
void become_forked(void);

/*
 * LibreOffice leaves form controls to the client of its kit, so it paints none of them. From this call on it works as
 * without a kit.
 */
void paint_controls(void);

/* Version and build as reported by LibreOffice. */
const char *libreoffice_version(void);

#endif
