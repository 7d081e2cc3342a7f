/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/report-common.c - numbers and words of the reports, and their files.
 */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text-private.h"
#include "study/study-private.h"

void cairn_study__time(cairn_base_text *text, double seconds) {
  static const struct {
    double from, per_second;
    const char *name;
  } unit[] = {{1, 1, "s"}, {1e-3, 1e3, "ms"}, {1e-6, 1e6, "us"}};
  if (!isfinite(seconds)) {
    cairn_base_text_add(text, "unknown");
    return;
  }
  for (size_t i = 0; i < sizeof unit / sizeof *unit; i++)
    if (seconds >= unit[i].from) {
      cairn_base_text_addf(text, "%.2f %s", seconds * unit[i].per_second,
                           unit[i].name);
      return;
    }
  cairn_base_text_addf(text, "%.2f ns", seconds * 1e9);
}

void cairn_study__escape(cairn_base_text *text, const char *plain) {
  for (; *plain; plain++)
    if (*plain == '<')
      cairn_base_text_add(text, "&lt;");
    else if (*plain == '>')
      cairn_base_text_add(text, "&gt;");
    else if (*plain == '&')
      cairn_base_text_add(text, "&amp;");
    else if (*plain == '"')
      cairn_base_text_add(text, "&quot;");
    else
      cairn_base__text_add_bytes(text, plain, 1);
}

void cairn_study__cell(cairn_base_text *text, const char *plain) {
  for (; *plain; plain++)
    cairn_base__text_add_bytes(
        text, *plain == '\t' || *plain == '\n' || *plain == '\r' ? " " : plain,
        1);
}

void cairn_study__exact(cairn_base_text *text, double value) {
  if (isnan(value))
    cairn_base_text_add(text, "nan");
  else if (isinf(value))
    cairn_base_text_add(text, value < 0 ? "-inf" : "inf");
  else
    cairn_base_text_addf(text, "%.17g", value);
}

cairn_status cairn_study__report_folder(const char *folder,
                                        cairn_base_diag *diag) {
  const int made = mkdir(folder, 0777) == 0;
  struct stat info;
  if (!made && errno == EEXIST && stat(folder, &info) == 0) {
    errno = S_ISDIR(info.st_mode) ? 0 : ENOTDIR;
    if (errno == 0 && access(folder, W_OK | X_OK) == 0)
      return CAIRN_OK;
  }
  if (made)
    return CAIRN_OK;
  cairn_base_diag_error(diag, "%s: cannot write a report there: %s", folder,
                        strerror(errno));
  return CAIRN_IO;
}

static cairn_status write_file(const cairn_study__file *file, const void *what,
                               const char *folder, cairn_base_diag *diag) {
  cairn_base_text text = {0}, path = {0};
  cairn_status status = file->write(what, &text);
  cairn_base_text_addf(&path, "%s/%s", folder, file->name);
  if (!status && (text.failed || path.failed))
    status = CAIRN_NOMEM;
  if (!status)
    status = cairn_base_file_write(path.data, text.data ? text.data : "",
                                   text.length, diag);
  cairn_base_text_free(&text);
  cairn_base_text_free(&path);
  return status;
}

cairn_status cairn_study__files(const cairn_study__file *file, size_t files,
                                const void *what, const char *folder,
                                cairn_base_diag *diag) {
  cairn_status status = cairn_study__report_folder(folder, diag);
  for (size_t i = 0; i < files && !status; i++)
    status = write_file(&file[i], what, folder, diag);
  return status;
}
