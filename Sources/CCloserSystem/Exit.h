// What must be undone before this process ends. All of it is async-signal-safe, and does nothing if there is nothing to undo.
#ifndef CLOSER_ENDINGS_H
#define CLOSER_ENDINGS_H

// Lets the terminal show what is typed again, on a line of its own, and erases what must not stay on the screen.
void closer_give_terminal_back(void);

// Kills the program that was started, and its process group.
void closer_kill_running_program(void);

#endif
