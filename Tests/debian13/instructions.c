// Counts the instructions of a program under qemu-user, from the log of `-d in_asm,exec,nochain` on standard
// input: each translated block with its instructions, and a line for each time that one is executed. Prints
// a line for each second with the sum so far, and the sum at the end.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Blocks by the address of their first instruction. A block that is translated again replaces the first.
enum { PLACES = 1 << 22 };
static struct {
  uint64_t address;
  uint32_t length;
} blocks[PLACES];

static uint32_t *length_of(uint64_t address) {
  size_t place = (address * UINT64_C(0x9E3779B97F4A7C15)) >> 42;
  while (blocks[place].address != 0 && blocks[place].address != address) place = (place + 1) % PLACES;
  blocks[place].address = address;
  return &blocks[place].length;
}

int main(void) {
  static char line[4096];
  uint64_t sum = 0, executed = 0;
  uint32_t *length = NULL;
  int begins = 0;
  time_t shown = time(NULL), start = shown;
  while (fgets(line, sizeof line, stdin)) {
    if (strncmp(line, "Trace ", 6) == 0) {
      char *slash = strchr(line, '/');
      if (slash == NULL) continue;
      sum += *length_of(strtoull(slash + 1, NULL, 16));
      executed += 1;
      if ((executed & 0xffff) == 0 && time(NULL) != shown) {
        shown = time(NULL);
        printf("%ld s %" PRIu64 " instructions, %" PRIu64 " blocks\n", (long)(shown - start), sum, executed);
        fflush(stdout);
      }
    } else if (strncmp(line, "IN:", 3) == 0) {
      begins = 1;
    } else if (strncmp(line, "0x", 2) == 0) {
      if (begins) {
        length = length_of(strtoull(line, NULL, 16));
        *length = 0;
        begins = 0;
      }
      if (length != NULL) *length += 1;
    } else {
      length = NULL;
    }
  }
  printf("%ld s %" PRIu64 " instructions, %" PRIu64 " blocks\n", (long)(time(NULL) - start), sum, executed);
  return 0;
}
