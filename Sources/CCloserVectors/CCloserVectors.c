#include "CCloserVectors.h"

// With #embed the compiler takes the files as they are; a literal of megabytes would take it minutes.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index[] = {
#embed "../../vectors/index.json"
};
static const unsigned char aead[] = {
#embed "../../vectors/v1/aead.json"
};
static const unsigned char base64[] = {
#embed "../../vectors/v1/base64.json"
};
static const unsigned char canonical_json[] = {
#embed "../../vectors/v1/canonical_json.json"
};
static const unsigned char chat_fitlink[] = {
#embed "../../vectors/v1/chat_fitlink.json"
};
static const unsigned char chat_fond[] = {
#embed "../../vectors/v1/chat_fond.json"
};
static const unsigned char chat_v2[] = {
#embed "../../vectors/v1/chat_v2.json"
};
static const unsigned char commitment[] = {
#embed "../../vectors/v1/commitment.json"
};
static const unsigned char cpace[] = {
#embed "../../vectors/v1/cpace.json"
};
static const unsigned char documents[] = {
#embed "../../vectors/v1/documents.json"
};
static const unsigned char ecies[] = {
#embed "../../vectors/v1/ecies.json"
};
static const unsigned char field[] = {
#embed "../../vectors/v1/field.json"
};
static const unsigned char field_v2[] = {
#embed "../../vectors/v1/field_v2.json"
};
static const unsigned char file[] = {
#embed "../../vectors/v1/file.json"
};
static const unsigned char invite[] = {
#embed "../../vectors/v1/invite.json"
};
static const unsigned char kdf_params[] = {
#embed "../../vectors/v1/kdf_params.json"
};
static const unsigned char keybox[] = {
#embed "../../vectors/v1/keybox.json"
};
static const unsigned char keyset[] = {
#embed "../../vectors/v1/keyset.json"
};
static const unsigned char opening_keys[] = {
#embed "../../vectors/v1/opening_keys.json"
};
static const unsigned char pairing[] = {
#embed "../../vectors/v1/pairing.json"
};
static const unsigned char pairing_code[] = {
#embed "../../vectors/v1/pairing_code.json"
};
static const unsigned char public_key[] = {
#embed "../../vectors/v1/public_key.json"
};
static const unsigned char rekey[] = {
#embed "../../vectors/v1/rekey.json"
};
static const unsigned char reveal[] = {
#embed "../../vectors/v1/reveal.json"
};
static const unsigned char safety_number[] = {
#embed "../../vectors/v1/safety_number.json"
};
static const unsigned char sealed_answer[] = {
#embed "../../vectors/v1/sealed_answer.json"
};
static const unsigned char stream[] = {
#embed "../../vectors/v1/stream.json"
};
static const unsigned char wrap[] = {
#embed "../../vectors/v1/wrap.json"
};
static const unsigned char x25519[] = {
#embed "../../vectors/v1/x25519.json"
};

#define CARRIED(name) {#name ".json", name, sizeof name}

static const struct {
    const char *name;
    const unsigned char *bytes;
    size_t count;
} files[] = {
    CARRIED(index), CARRIED(aead), CARRIED(base64), CARRIED(canonical_json), CARRIED(chat_fitlink),
    CARRIED(chat_fond), CARRIED(chat_v2), CARRIED(commitment), CARRIED(cpace), CARRIED(documents),
    CARRIED(ecies), CARRIED(field), CARRIED(field_v2), CARRIED(file), CARRIED(invite), CARRIED(kdf_params),
    CARRIED(keybox), CARRIED(keyset), CARRIED(opening_keys), CARRIED(pairing), CARRIED(pairing_code),
    CARRIED(public_key), CARRIED(rekey), CARRIED(reveal), CARRIED(safety_number), CARRIED(sealed_answer),
    CARRIED(stream), CARRIED(wrap), CARRIED(x25519),
};

size_t closer_vectors_count(void) { return sizeof files / sizeof *files; }

const char *closer_vectors_name(size_t file) { return files[file].name; }

const unsigned char *closer_vectors_bytes(size_t file) { return files[file].bytes; }

size_t closer_vectors_byte_count(size_t file) { return files[file].count; }
