// What C alone can do with files, and what a signal handler must know of them.
#ifndef CCLOSERFILES_H
#define CCLOSERFILES_H

// Notes the path of a temporary file, which an interrupt removes. Gives the slot, or -1 when six are noted already or the path is
// too long.
int closer_add_temporary(const char *path);
void closer_remove_temporary(int slot);

// Removes the noted files. Async-signal-safe.
void closer_unlink_temporaries(void);

// Renames a file, unless the new name is taken: then EEXIST. -1 and errno if it fails.
int closer_rename_to_new(const char *from, const char *to);

// Waits until the names in a folder are on the disk. A folder that cannot be opened for reading cannot be waited for: then the
// whole file system of an open file in it is synced.
void closer_synchronize_folder(const char *folder, int file);

#endif
