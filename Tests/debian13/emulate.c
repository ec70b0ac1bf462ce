// What the kernel starts for a program of arm64 (binfmt_misc): qemu with one processor model, whatever the
// program's environment. Linked statically, so that it runs in any root.
//
// Arguments (flag P of binfmt_misc): our name, the program's file, the name by which it was called, its
// arguments.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int count, char **arguments) {
  if (count < 3) return 2;
  char *call[count + 4];
  call[0] = "qemu-aarch64";
  call[1] = "-cpu";
  call[2] = CPU;
  call[3] = "-0";
  call[4] = arguments[2];
  call[5] = arguments[1];
  memcpy(call + 6, arguments + 3, (count - 2) * sizeof *call);
  execv("/usr/bin/qemu-aarch64", call);
  perror("/usr/bin/qemu-aarch64");
  return 127;
}
