/* LibreOffice creates folders in its temporary folder at its start and relies on them later. */
#ifndef KILN_TEMPORARY_FOLDERS_H
#define KILN_TEMPORARY_FOLDERS_H

/* Records the folders below tmp/ of the working directory; call before the fork. */
void remember_temporary_folders(void);

/* Creates the same empty folders below tmp/ of the working directory. */
void make_temporary_folders(void);

#endif
