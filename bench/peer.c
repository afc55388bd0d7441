/* The same work as croupier.hands.batch in plain C, over the same tables (tables.h is written by run.py). */
#include <stddef.h>
#include <stdint.h>
#include "tables.h"

void five_card(const uint8_t *cards, uint16_t *strengths, size_t n)
{
    for (size_t i = 0; i < n; i++, cards += 5) {
        uint8_t a = cards[0], b = cards[1], c = cards[2], d = cards[3], e = cards[4];
        uint32_t ranks = 1u << (a >> 2) | 1u << (b >> 2) | 1u << (c >> 2) | 1u << (d >> 2) | 1u << (e >> 2);
        if (((a ^ b) | (a ^ c) | (a ^ d) | (a ^ e)) & 3)
            strengths[i] = FIVE_VALUES[FIVE_OFFSETS[ranks] + KEYS[a] + KEYS[b] + KEYS[c] + KEYS[d] + KEYS[e]];
        else
            strengths[i] = FIVE_SUITED[ranks];
    }
}

void longest_flush(const uint8_t *cards, uint16_t *strengths, size_t n)
{
    for (size_t i = 0; i < n; i++, cards += 7) {
        uint64_t held = 0;
        for (int j = 0; j < 7; j++)
            held |= BITS[cards[j]];
        uint16_t best = FLUSH[held & 0x1fff];
        for (int suit = 1; suit < 4; suit++) {
            uint16_t other = FLUSH[held >> 16 * suit & 0x1fff];
            if (other > best)
                best = other;
        }
        strengths[i] = best;
    }
}
