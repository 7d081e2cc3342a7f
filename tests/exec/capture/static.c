/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/exec/capture/static.c - looks like a program with the CUDA runtime
 * linked statically: it loads libcuda and has no libcudart.
 */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2 || !dlopen(argv[1], RTLD_NOW)) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  return 0;
}
