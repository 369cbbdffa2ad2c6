/* The LibreOffice inside this process. */
#ifndef KILN_LIBREOFFICE_H
#define KILN_LIBREOFFICE_H

#include <stdbool.h>

/* Starts it with a profile (a file URL), and calls `serve` on the thread that all of LibreOffice runs on. */
void run_libreoffice(const char *installation, const char *profile, void (*serve)(void));

/* Runs a procedure of Kiln's own Basic program, with the plan in the environment. */
bool run_procedure(const char *name);

/* Adds rules by which fonts are found to those that it started with. */
void read_font_rules(const char *path);

/* Ends LibreOffice's helper threads: a fork takes only the thread that calls it. */
void join_threads(void);

/* To be called once in a forked process. */
void become_forked(void);

/* Version and build, as LibreOffice tells them. */
const char *libreoffice_version(void);

#endif
