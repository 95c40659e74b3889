#include <cuda_runtime.h>

// Texas hold'em: strength of the best five of seven cards, for Monte Carlo equity.
// A card is rank * 4 + suit, rank 0 is the deuce. Cards are stored one plane per position.

enum Category { HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH };

// Rank of the highest card of a straight, or -1; the ace also counts as one.
__device__ int highestStraight(unsigned mask)
{
    const unsigned wheel = (mask << 1) | (mask >> 12 & 1u);
    const unsigned run = wheel & (wheel >> 1) & (wheel >> 2) & (wheel >> 3) & (wheel >> 4);
    return run == 0u ? -1 : 34 - __clz(run);
}

__global__ void rankHands(const unsigned char* __restrict__ deck, unsigned* __restrict__ strength, int hands)
{
    const int h = blockIdx.x * blockDim.x + threadIdx.x;
    if (h >= hands) return;

    int ofRank[13], ofSuit[4];
    unsigned suitMask[4];
    for (int r = 0; r < 13; ++r) ofRank[r] = 0;
    for (int s = 0; s < 4; ++s) { ofSuit[s] = 0; suitMask[s] = 0u; }

    unsigned all = 0u;
    for (int c = 0; c < 7; ++c) {
        const int card = deck[c * hands + h];
        const int rank = card >> 2, suit = card & 3;
        ofRank[rank]++;
        ofSuit[suit]++;
        suitMask[suit] |= 1u << rank;
        all |= 1u << rank;
    }

    int quad = -1, trip = -1, high = -1, low = -1;
    for (int r = 0; r < 13; ++r) {
        if (ofRank[r] >= 4) quad = r;
        else if (ofRank[r] == 3) { if (trip >= 0) { low = high; high = trip; } trip = r; }
        else if (ofRank[r] == 2) { low = high; high = r; }
    }

    int flush = -1;
    for (int s = 0; s < 4; ++s)
        if (ofSuit[s] >= 5) flush = s;

    const int straight = highestStraight(all);
    const int royal = flush >= 0 ? highestStraight(suitMask[flush]) : -1;

    unsigned category = HIGH_CARD, tie = all;
    if (royal >= 0)                    { category = STRAIGHT_FLUSH; tie = royal; }
    else if (quad >= 0)                { category = QUADS; tie = quad; }
    else if (trip >= 0 && high >= 0)   { category = FULL_HOUSE; tie = trip * 13 + high; }
    else if (flush >= 0)               { category = FLUSH; tie = suitMask[flush]; }
    else if (straight >= 0)            { category = STRAIGHT; tie = straight; }
    else if (trip >= 0)                { category = TRIPS; tie = trip; }
    else if (high >= 0 && low >= 0)    { category = TWO_PAIR; tie = high * 13 + low; }
    else if (high >= 0)                { category = PAIR; tie = high; }

    strength[h] = category << 16 | tie;
}

void rankAll(const unsigned char* deck, unsigned* strength, int hands)
{
    rankHands<<<(hands + 127) / 128, 128>>>(deck, strength, hands);
}
