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

/* Every hand of five cards, one after the other, counted by strength. */
void enumerate_five(uint64_t *counts)
{
    for (int a = 0; a < 48; a++)
        for (int b = a + 1; b < 49; b++)
            for (int c = b + 1; c < 50; c++)
                for (int d = c + 1; d < 51; d++) {
                    uint32_t ranks = 1u << (a >> 2) | 1u << (b >> 2) | 1u << (c >> 2) | 1u << (d >> 2);
                    uint32_t key = KEYS[a] + KEYS[b] + KEYS[c] + KEYS[d];
                    int mixed = ((a ^ b) | (a ^ c) | (a ^ d)) & 3;
                    for (int e = d + 1; e < 52; e++) {
                        uint32_t bits = ranks | 1u << (e >> 2);
                        if (mixed | ((a ^ e) & 3))
                            counts[FIVE_VALUES[FIVE_OFFSETS[bits] + key + KEYS[e]]]++;
                        else
                            counts[FIVE_SUITED[bits]]++;
                    }
                }
}

/* Every hand of seven cards, one after the other, its longest flush scored and counted by length. */
void enumerate_seven(uint64_t *counts)
{
    for (int a = 0; a < 46; a++)
        for (int b = a + 1; b < 47; b++)
            for (int c = b + 1; c < 48; c++)
                for (int d = c + 1; d < 49; d++)
                    for (int e = d + 1; e < 50; e++) {
                        uint64_t five = BITS[a] | BITS[b] | BITS[c] | BITS[d] | BITS[e];
                        for (int f = e + 1; f < 51; f++) {
                            uint64_t six = five | BITS[f];
                            for (int g = f + 1; g < 52; g++) {
                                uint64_t held = six | BITS[g];
                                uint16_t best = FLUSH[held & 0x1fff];
                                for (int suit = 1; suit < 4; suit++) {
                                    uint16_t other = FLUSH[held >> 16 * suit & 0x1fff];
                                    if (other > best)
                                        best = other;
                                }
                                counts[best >> 13]++;
                            }
                        }
                    }
}
