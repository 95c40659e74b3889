#pragma once
#include <sys/time.h>
typedef struct { struct timeval startTime, endTime; } Timer;
static void startTime(Timer *t) { gettimeofday(&t->startTime, 0); }
static void stopTime(Timer *t) { gettimeofday(&t->endTime, 0); }
static float elapsedTime(Timer t)
{ return (float)((t.endTime.tv_sec - t.startTime.tv_sec) + (t.endTime.tv_usec - t.startTime.tv_usec) / 1.0e6); }
