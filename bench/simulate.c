/* The same work as croupier.simulation in plain C, over the same tables: one seat, the base game, best play.
   The same generator, deal, decisions and ends, so that the counts of ends are the same number for number. */
#include <stddef.h>
#include <stdint.h>

enum { BATCH = 256, AT_ONCE = 5, MOST = 15, BITS = 13, EVERY_RANK = (1 << BITS) - 1, COUNT_DEALER = 255 };
enum { LOWER, EQUAL, HIGHER, UNQUALIFIED };

/* 2^32 mod 52 * 51 * 50 * 49 * 48, and so on for the next fives. */
static const uint32_t TOO_LOW[] = {
    (1ull << 32) % (52ull * 51 * 50 * 49 * 48),
    (1ull << 32) % (47ull * 46 * 45 * 44 * 43),
    (1ull << 32) % (42ull * 41 * 40 * 39 * 38),
};

static inline void philox(uint64_t seed, uint64_t number, uint32_t block, uint32_t words[4])
{
    uint32_t c0 = block, c1 = 0, c2 = (uint32_t)number, c3 = number >> 32, k0 = (uint32_t)seed, k1 = seed >> 32;
    for (int i = 0; i < 10; i++) {
        uint64_t low = 0xD2511F53ull * c0, high = 0xCD9E8D57ull * c2;
        c0 = (uint32_t)(high >> 32) ^ c1 ^ k0, c1 = (uint32_t)high;
        c2 = (uint32_t)(low >> 32) ^ c3 ^ k1, c3 = (uint32_t)low;
        k0 += 0x9E3779B9, k1 += 0xBB67AE85;
    }
    words[0] = c0, words[1] = c1, words[2] = c2, words[3] = c3;
}

/* The first `whole` cards of a round; `deck` is in order before and after. */
static inline void shuffle(uint64_t seed, uint64_t number, int whole, uint32_t words[4], uint8_t *deck, uint8_t *cards)
{
    uint32_t block = 0;
    uint8_t others[MOST];
    int next = 0;
    for (int first = 0; first < whole; first += AT_ONCE) {
        uint64_t rest;
        do {
            if (next == 4)
                philox(seed, number, ++block, words), next = 0;
            rest = words[next++];
            for (int place = first; place < first + AT_ONCE; place++) {
                rest = (rest & 0xffffffff) * (52 - place);
                others[place] = place + (rest >> 32);
            }
        } while ((uint32_t)rest < TOO_LOW[first / AT_ONCE]);
        for (int place = first; place < first + AT_ONCE; place++) {
            cards[place] = deck[others[place]];
            deck[others[place]] = deck[place];
        }
    }
    for (int place = 0; place < whole; place++)
        deck[others[place]] = others[place], deck[place] = place;
}

/* The first block of the cards of a batch of rounds. */
static void first_words(uint64_t seed, uint64_t start, uint32_t words[4][BATCH])
{
    for (int one = 0; one < BATCH; one++) {
        uint32_t found[4];
        philox(seed, start + one, 0, found);
        words[0][one] = found[0], words[1][one] = found[1], words[2][one] = found[2], words[3][one] = found[3];
    }
}

/* What is left of the first word, and the five cards that it gives, by going back through the exchanges. */
static void first_five(const uint32_t words[BATCH], uint32_t left[BATCH], uint32_t five[5][BATCH])
{
    for (int one = 0; one < BATCH; one++) {
        uint64_t rest = words[one] * 52ull;
        uint32_t a = rest >> 32;
        rest = (rest & 0xffffffff) * 51;
        uint32_t b = (rest >> 32) + 1;
        rest = (rest & 0xffffffff) * 50;
        uint32_t c = (rest >> 32) + 2;
        rest = (rest & 0xffffffff) * 49;
        uint32_t d = (rest >> 32) + 3;
        rest = (rest & 0xffffffff) * 48;
        uint32_t e = (rest >> 32) + 4;
        left[one] = rest;
        e = e == d ? 3 : e;
        d = d == c ? 2 : d, e = e == c ? 2 : e;
        c = c == b ? 1 : c, d = d == b ? 1 : d, e = e == b ? 1 : e;
        five[0][one] = a, five[1][one] = b == a ? 0 : b, five[2][one] = c == a ? 0 : c;
        five[3][one] = d == a ? 0 : d, five[4][one] = e == a ? 0 : e;
    }
}

static inline uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }
static inline uint32_t most(uint32_t a, uint32_t b) { return a > b ? a : b; }

struct streets {
    const uint32_t *keys;
    const uint16_t *offsets, *values, *suited;
    const uint8_t *two, *three, *four;
    const uint32_t *rows;
    const uint8_t *five;
    const int64_t *adds;
    uint32_t choose[3][52];
};

/* What was decided in a game of two own cards and three of the community, which come first. */
static inline uint32_t decide_streets(const struct streets *t, const uint8_t *cards)
{
    const uint32_t *two = t->choose[0], *three = t->choose[1], *four = t->choose[2];
    uint32_t low = least(cards[3], cards[4]), high = most(cards[3], cards[4]), next = cards[0];
    uint32_t act = t->rows[t->two[low + two[high]]] >> 2 & 3;
    if (act == 0)
        return 0;
    uint32_t path = act, staked = 1 + t->adds[act];
    uint32_t top = most(low, next), middle;
    low = least(low, next);
    middle = least(top, high), high = most(top, high);
    act = t->rows[t->three[low + two[middle] + three[high]]] >> 2 * staked & 3;
    if (act == 0)
        return path;
    path |= act << 2, staked += t->adds[act], next = cards[1];
    top = most(low, next), low = least(low, next);
    uint32_t upper = most(top, middle);
    middle = least(top, middle);
    top = most(upper, high), upper = least(upper, high);
    act = t->rows[t->four[low + two[middle] + three[upper] + four[top]]] >> 2 * staked & 3;
    return path | act << 4;
}

void play_streets(const uint32_t *keys, const uint16_t *offsets, const uint16_t *values, const uint16_t *suited,
                  const uint8_t *two, const uint8_t *three, const uint8_t *four, const uint32_t *rows,
                  const uint8_t *five, const int64_t *adds, uint64_t seed, uint64_t start, int64_t rounds, int64_t *counts)
{
    struct streets t = {keys, offsets, values, suited, two, three, four, rows, five, adds};
    uint8_t deck[52], cards[AT_ONCE];
    uint32_t words[4][BATCH], left[BATCH], five_cards[AT_ONCE][BATCH];
    for (uint32_t n = 0; n < 52; n++) {
        deck[n] = n;
        t.choose[0][n] = n * (n - 1) / 2;
        t.choose[1][n] = n < 3 ? 0 : n * (n - 1) * (n - 2) / 6;
        t.choose[2][n] = n < 4 ? 0 : n * (n - 1) * (n - 2) * (n - 3) / 24;
    }
    for (int64_t done = 0; done < rounds; done += BATCH) {
        int some = rounds - done < BATCH ? rounds - done : BATCH;
        first_words(seed, start + done, words);
        first_five(words[0], left, five_cards);
        for (int one = 0; one < some; one++) {
            for (int place = 0; place < AT_ONCE; place++)
                cards[place] = five_cards[place][one];
            if (left[one] < TOO_LOW[0]) {
                uint32_t first[4] = {words[0][one], words[1][one], words[2][one], words[3][one]};
                shuffle(seed, start + done + one, AT_ONCE, first, deck, cards);
            }
            uint32_t path = decide_streets(&t, cards);
            if (path < 16) {
                counts[path]++;
                continue;
            }
            uint8_t a = cards[0], b = cards[1], c = cards[2], d = cards[3], e = cards[4];
            uint32_t ranks = 1u << (a >> 2) | 1u << (b >> 2) | 1u << (c >> 2) | 1u << (d >> 2) | 1u << (e >> 2);
            uint16_t strength = suited[ranks];
            if (((a ^ b) | (a ^ c) | (a ^ d) | (a ^ e)) & 3)
                strength = values[offsets[ranks] + keys[a] + keys[b] + keys[c] + keys[d] + keys[e]];
            counts[path + 64 * five[strength]]++;
        }
    }
}

struct flushes {
    const uint64_t *bits;
    const uint16_t *flushes;
    const uint8_t *runs, *raises, *flush, *run;
    int64_t flush_size, qualifier;
    const int64_t *most;
    int64_t choose[BITS + 1][8], hands;
    uint8_t count[1 << BITS];
};

static inline uint64_t held_of(const uint64_t *bits, const uint8_t *cards)
{
    uint64_t held = 0;
    for (int place = 0; place < 7; place++)
        held |= bits[cards[place]];
    return held;
}

static inline uint32_t best_flush(const uint16_t *table, uint64_t held)
{
    uint32_t best = 0;
    for (int suit = 0; suit < 4; suit++)
        best = most(best, table[held >> 16 * suit & EVERY_RANK]);
    return best;
}

static inline uint32_t best_run(const uint8_t *table, uint64_t held)
{
    uint32_t best = 0;
    for (int suit = 0; suit < 4; suit++)
        best = most(best, table[held >> 16 * suit & EVERY_RANK]);
    return best;
}

/* How many sets of this many of the ranks left are, read as numbers, less than the bar. */
static inline int64_t sets_below(const struct flushes *t, uint32_t left, int size, uint32_t bar)
{
    int64_t found = 0;
    for (int rank = BITS - 1; rank >= 0; rank--)
        if (bar >> rank & 1) {
            found += t->choose[t->count[left & ((1u << rank) - 1)]][size];
            if (--size < 0 || !(left >> rank & 1))
                break;
        }
    return found;
}

/* How many seven cards, of those that are not held, have a strength below the bar. */
static int64_t hands_below(const struct flushes *t, uint64_t held, uint32_t bar)
{
    int length = bar >> BITS;
    int64_t ways[8] = {1};
    for (int suit = 0; suit < 4; suit++) {
        uint32_t left = EVERY_RANK & ~(uint32_t)(held >> 16 * suit & EVERY_RANK);
        const int64_t *choose = t->choose[t->count[left]];
        int64_t at_bar = sets_below(t, left, length, bar & EVERY_RANK);
        for (int total = 7; total >= 0; total--) {
            int64_t found = total >= length ? ways[total - length] * at_bar : 0;
            for (int size = 0; size < length && size <= total; size++)
                found += ways[total - size] * choose[size];
            ways[total] = found;
        }
    }
    return ways[7];
}

/* Best play by counting the dealer's hands; of equals the largest raise. */
static int64_t best_raise(const struct flushes *t, int64_t largest, uint64_t held, uint32_t own)
{
    int64_t unqualified = hands_below(t, held, t->qualifier), lower = unqualified, not_higher = unqualified;
    if (own >= t->qualifier)
        lower = hands_below(t, held, own), not_higher = hands_below(t, held, own + 1);
    int64_t lead = lower - unqualified - (t->hands - not_higher), times = lead >= 0 ? largest : 1;
    return unqualified + (1 + times) * lead + t->hands >= 0 ? times : 0;
}

void play_flushes(const uint64_t *bits, const uint16_t *flushes, const uint8_t *runs, const uint8_t *raises,
                  const uint8_t *flush, const uint8_t *run, const int64_t *largest, int64_t flush_size,
                  int64_t qualifier, uint64_t seed, uint64_t start, int64_t rounds, int64_t *counts)
{
    struct flushes t = {bits, flushes, runs, raises, flush, run, flush_size, qualifier, largest};
    uint8_t deck[52], cards[MOST];
    uint32_t words[4][BATCH];
    for (int n = 0; n < 52; n++)
        deck[n] = n;
    for (int n = 0; n <= BITS; n++)
        for (int k = 0; k < 8; k++)
            t.choose[n][k] = k == 0 ? 1 : n == 0 ? 0 : t.choose[n - 1][k - 1] + t.choose[n - 1][k];
    for (int ranks = 1; ranks < 1 << BITS; ranks++)
        t.count[ranks] = t.count[ranks >> 1] + (ranks & 1);
    t.hands = 45379620; /* seven of the 45 cards that a player does not hold */
    for (int64_t done = 0; done < rounds; done += BATCH) {
        int some = rounds - done < BATCH ? rounds - done : BATCH;
        first_words(seed, start + done, words);
        for (int one = 0; one < some; one++) {
            uint32_t first[4] = {words[0][one], words[1][one], words[2][one], words[3][one]};
            shuffle(seed, start + done + one, MOST, first, deck, cards);
            uint64_t held = held_of(bits, cards + 7);
            uint32_t own = best_flush(flushes, held), dealer = best_flush(flushes, held_of(bits, cards));
            int64_t times = raises[own], versus = LOWER;
            if (times == COUNT_DEALER)
                times = best_raise(&t, largest[own >> BITS], held, own);
            if (times) {
                if (dealer < qualifier)
                    versus = UNQUALIFIED;
                else if (own <= dealer)
                    versus = own == dealer ? EQUAL : HIGHER;
            }
            uint64_t pairs = held & held >> 32;
            int quads = (pairs & pairs >> 16 & EVERY_RANK) != 0;
            int64_t line = flush[own >> BITS] + flush_size * run[2 * best_run(runs, held) + quads];
            counts[times + 4 * (versus + 4 * line)]++;
        }
    }
}
