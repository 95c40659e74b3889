#pragma once
void exclusive_scan(const unsigned *flags, unsigned *places, int count);
