/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/fuzz/fuzz-packed.c - compressed files: any bytes; and the bytes packed
 * here, which come back as they were, whole, and not at all when cut.
 */
#include "tests/fuzz/fuzz.h"
#include <cairn/base.h>

#include <stdlib.h>
#include <string.h>

#include <lzma.h>
#include <zlib.h>

enum { LIMIT = 1 << 16 };

static cairn_status read_back(const uint8_t *data, size_t size,
                              char **content_p, size_t *length_p) {
  cairn_base_diag *diag = NULL;
  if (cairn_base_diag_create(0, &diag) != CAIRN_OK)
    abort();
  const cairn_status status = cairn_base_file_read(fuzz_file(data, size), LIMIT,
                                                   diag, content_p, length_p);
  fuzz_promise(status == CAIRN_OK || status == CAIRN_INPUT, "a wrong status");
  fuzz_promise((status == CAIRN_OK) == (cairn_base_diag_errors(diag) == 0),
               "refused without a message, or read with one");
  cairn_base_diag_free(diag);
  return status;
}

static void any_bytes(const uint8_t *data, size_t size) {
  char *content = NULL;
  size_t length = 0;
  if (read_back(data, size, &content, &length) != CAIRN_OK)
    return;
  fuzz_promise(length <= LIMIT, "more than the limit");
  fuzz_promise(content[length] == '\0', "no NUL after it");
  cairn_base_free(content);
}

static size_t pack_gz(const uint8_t *data, size_t size, uint8_t *out,
                      size_t room) {
  z_stream z = {0};
  if (deflateInit2(&z, 1, Z_DEFLATED, 16 + 9, 1, Z_DEFAULT_STRATEGY) != Z_OK)
    abort();
  z.next_in = (unsigned char *)data;
  z.avail_in = (unsigned)size;
  z.next_out = out;
  z.avail_out = (unsigned)room;
  if (deflate(&z, Z_FINISH) != Z_STREAM_END)
    abort();
  deflateEnd(&z);
  return room - z.avail_out;
}

static size_t pack_xz(const uint8_t *data, size_t size, uint8_t *out,
                      size_t room) {
  lzma_options_lzma options;
  size_t length = 0;
  if (lzma_lzma_preset(&options, 0))
    abort();
  options.dict_size = LZMA_DICT_SIZE_MIN;
  lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options},
                           {LZMA_VLI_UNKNOWN, NULL}};
  if (lzma_stream_buffer_encode(filters, LZMA_CHECK_CRC32, NULL, data, size,
                                out, &length, room) != LZMA_OK)
    abort();
  return length;
}

/* Whole, then twice over, then without its end. */
static void there_and_back(const uint8_t *data, size_t size,
                           const uint8_t *packed, size_t length, size_t cut) {
  char *content = NULL;
  size_t found = 0;
  uint8_t *const twice = malloc(2 * length);
  if (!twice)
    abort();
  fuzz_promise(read_back(packed, length, &content, &found) == CAIRN_OK &&
                   found == size &&
                   (size == 0 || memcmp(content, data, size) == 0),
               "what was packed comes back otherwise");
  cairn_base_free(content);
  memcpy(twice, packed, length);
  memcpy(twice + length, packed, length);
  fuzz_promise(read_back(twice, 2 * length, &content, &found) == CAIRN_OK &&
                   found == 2 * size,
               "two in one file are not both read");
  cairn_base_free(content);
  free(twice);
  cut = 6 + cut % (length - 6); /* so that it is still known as packed */
  fuzz_promise(read_back(packed, cut, &content, &found) == CAIRN_INPUT,
               "half of it is taken for the whole");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static uint8_t packed[4096];
  any_bytes(data, size);
  if (size == 0 || size > 1024)
    return 0;
  const size_t cut = data[0] + (size << 3);
  there_and_back(data, size, packed, pack_gz(data, size, packed, sizeof packed),
                 cut);
  if (data[0] % 8 == 0)
    there_and_back(data, size, packed,
                   pack_xz(data, size, packed, sizeof packed), cut);
  return 0;
}
