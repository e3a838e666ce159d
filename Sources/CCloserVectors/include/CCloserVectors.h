// The vector files that the program carries in itself, and their index. All of it lives as long as the program.
#ifndef CCLOSERVECTORS_H
#define CCLOSERVECTORS_H

#include <stddef.h>

size_t closer_vectors_count(void);

// A file's name, in ASCII and ended by a zero byte.
const char *_Nonnull closer_vectors_name(size_t file);

// A file's bytes, and how many they are.
const unsigned char *_Nonnull closer_vectors_bytes(size_t file);
size_t closer_vectors_byte_count(size_t file);

#endif
