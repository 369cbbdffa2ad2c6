/* What a forked process does with the open files that it inherited. */
#ifndef KILN_DESCRIPTORS_H
#define KILN_DESCRIPTORS_H

/*
 * A descriptor that is inherited is shared: its position, and a way to write to the same file. So every file is
 * opened anew, for reading only; everything else but the one to keep becomes /dev/null.
 */
void separate_descriptors(int keep);

#endif
