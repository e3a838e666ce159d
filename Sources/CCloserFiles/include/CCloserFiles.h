// The temporary files of this process, where a signal handler can find them.
#ifndef CCLOSERFILES_H
#define CCLOSERFILES_H

// Names a file that an interrupt removes; gives its slot, or -1 when four are named already or the path is too long.
int closer_add_temporary(const char *path);
void closer_remove_temporary(int slot);

// Removes the named files. Async-signal-safe.
void closer_unlink_temporaries(void);

// Has writes wait again for a descriptor that was opened with O_NONBLOCK. -1 and errno if that fails.
int closer_wait_for(int descriptor);

#endif
