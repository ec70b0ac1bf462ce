#pragma once
// What Swift's Glibc module leaves out: mallopt, and adjtimex, which tells whether a time server has
// set the clock.
#include <malloc.h>
#include <sys/timex.h>
