#include "CPeers.h"

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/obj_mac.h>
#include <stdlib.h>

enum { encoded_count = 65 };

struct peer_curve {
    EC_GROUP *group;
    BN_CTX *numbers;
    BIGNUM *scalar;
    EC_POINT *theirs, *product;
    uint8_t encoded_theirs[encoded_count], encoded_product[encoded_count];
};

static void random_scalar(peer_curve *curve) {
    const BIGNUM *order = EC_GROUP_get0_order(curve->group);
    if (BN_priv_rand_range(curve->scalar, order) != 1) abort();
}

static bool times_generator(peer_curve *c) {
    return EC_POINT_mul(c->group, c->product, c->scalar, NULL, NULL, c->numbers) == 1;
}

static bool times_theirs(peer_curve *c) {
    return EC_POINT_mul(c->group, c->product, NULL, c->theirs, c->scalar, c->numbers) == 1;
}

static bool decode_theirs(peer_curve *c) {
    return EC_POINT_oct2point(c->group, c->theirs, c->encoded_theirs, encoded_count, c->numbers) == 1;
}

static bool encode_product(peer_curve *c, uint8_t *encoded) {
    return EC_POINT_point2oct(c->group, c->product, POINT_CONVERSION_UNCOMPRESSED, encoded, encoded_count,
               c->numbers) == encoded_count;
}

peer_curve *peer_curve_new(void) {
    peer_curve *curve = calloc(1, sizeof *curve);
    if (!curve) abort();
    curve->group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    curve->numbers = BN_CTX_secure_new();
    curve->scalar = BN_new();
    if (!curve->group || !curve->numbers || !curve->scalar) abort();
    curve->theirs = EC_POINT_new(curve->group);
    curve->product = EC_POINT_new(curve->group);
    BN_set_flags(curve->scalar, BN_FLG_CONSTTIME);
    if (!curve->theirs || !curve->product) abort();
    random_scalar(curve);
    if (!times_generator(curve) || !encode_product(curve, curve->encoded_theirs)) abort();
    if (!decode_theirs(curve)) abort();
    random_scalar(curve);
    return curve;
}

bool peer_curve_seal(peer_curve *curve, size_t times) {
    while (times--) if (!times_generator(curve) || !times_theirs(curve)) return false;
    return true;
}

bool peer_curve_open(peer_curve *curve, size_t times) {
    while (times--) if (!times_theirs(curve)) return false;
    return true;
}

static bool whole_open(peer_curve *curve) {
    return decode_theirs(curve) && times_theirs(curve) && encode_product(curve, curve->encoded_product);
}

bool peer_curve_whole_seal(peer_curve *curve, size_t times) {
    while (times--) {
        if (!times_generator(curve) || !encode_product(curve, curve->encoded_product)) return false;
        if (!whole_open(curve)) return false;
    }
    return true;
}

bool peer_curve_whole_open(peer_curve *curve, size_t times) {
    while (times--) if (!whole_open(curve)) return false;
    return true;
}

void peer_curve_free(peer_curve *curve) {
    EC_POINT_clear_free(curve->product);
    EC_POINT_free(curve->theirs);
    BN_clear_free(curve->scalar);
    BN_CTX_free(curve->numbers);
    EC_GROUP_free(curve->group);
    free(curve);
}
