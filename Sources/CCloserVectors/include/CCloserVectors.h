// The vector files that the program carries in itself, and their index.
//
// Numbers alone cross this border, so that no pointer does.
#ifndef CCLOSERVECTORS_H
#define CCLOSERVECTORS_H

#include <stddef.h>
#include <stdint.h>

// How many files there are.
size_t closer_vectors_count(void);

// One character of a file's name; 0 behind the last.
uint8_t closer_vectors_name_byte(size_t file, size_t index);

// How many bytes a file has, and one of them.
size_t closer_vectors_byte_count(size_t file);
uint8_t closer_vectors_byte(size_t file, size_t index);

#endif
