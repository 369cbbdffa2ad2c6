/* Replaces the open files that a forked process inherited. */
#ifndef KILN_DESCRIPTORS_H
#define KILN_DESCRIPTORS_H

/*
 * An inherited descriptor is shared, with its file position and write access. So every file is reopened read-only;
 * all other descriptors, except the one to keep, become /dev/null.
 */
void separate_descriptors(int keep);

#endif
