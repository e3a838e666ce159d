// What C alone can do with files, and what a signal handler must know of them.
#ifndef CCLOSERFILES_H
#define CCLOSERFILES_H

#include <stdbool.h>
#include <stddef.h>

// Names a file in an open folder, which stays open until the slot is given back: an interrupt removes it. Gives the slot, or -1 when six
// are named already or the name is too long.
int closer_add_temporary(int folder, const char *name);
void closer_remove_temporary(int slot);

// Removes the named files. Async-signal-safe.
void closer_unlink_temporaries(void);

// While a change is made, a signal that would end the process waits for its end. Changes may nest and overlap.
void closer_begin_change(void);
void closer_end_change(void);

// A change that ends while something else lasts that belongs to it ends with that. Before the first change begins nothing waits.
void closer_begin_lasting(void);
// True if the last change ended with it.
bool closer_leave_lasting(void);
// Leaves it without an end: signals wait for the changes within it until the process ends.
void closer_abandon_lasting(void);

// Ends a change and leaves the signal waiting: what failed must be told first. True if no change is left.
bool closer_leave_change(void);
// Ends the process if a signal waits.
void closer_end_if_waiting(void);

// Whether a signal waits for the end of a change, which then calls the handler with it. Async-signal-safe.
int closer_waits_for_change(int signal_number, void (*handler)(int));

// Exchanges two names in a folder at once. -1 and errno if the system cannot.
int closer_exchange(int folder, const char *one, const char *other);

// Renames a file, unless the new name is taken: then EEXIST. -1 and another errno if the system cannot.
int closer_rename_to_new(int folder, const char *from, const char *to);

// Waits until the names in a folder are on the disk. One that is not open for reading cannot be waited for: then it is the whole file
// system of a file in it.
void closer_synchronize_names(int folder, int file);

// Whether a file of `size` bytes begins with these: 1 or 0, or -1 and errno if it cannot be read. What was read is wiped.
int closer_holds(int descriptor, const unsigned char *bytes, size_t count, size_t size);

// Has writes wait again for a descriptor that was opened with O_NONBLOCK. -1 and errno if that fails.
int closer_wait_for(int descriptor);

#endif
