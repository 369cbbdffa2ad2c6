/* LibreOffice makes folders in its temporary folder at its start and counts on them later. */
#ifndef KILN_TEMPORARY_FOLDERS_H
#define KILN_TEMPORARY_FOLDERS_H

/* Remembers which there are below tmp/ of the working folder; called before the fork. */
void remember_temporary_folders(void);

/* Makes the same, empty, below tmp/ of the working folder. */
void make_temporary_folders(void);

#endif
