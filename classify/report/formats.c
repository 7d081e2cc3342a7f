/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/report/formats.c - the formats of the report, and the folder that
 * holds one of each.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include <cairn/classify.h>

#include "base/file-private.h"
#include "base/text-private.h"
#include "classify/report/report-private.h"

static const struct format {
  const char *file; /* NULL: not in the folder */
  cairn_status (*write)(const cairn_classify__page *page,
                        cairn_base_text *text);
} formats[] = {
#define FORMAT(NAME, name, file) {file, cairn_classify__report_##name},
    CAIRN_CLASSIFY_FORMAT_TABLE(FORMAT)
#undef FORMAT
};

cairn_status cairn_classify_report(const cairn_classify_analysis *analysis,
                                   cairn_classify_format format,
                                   const cairn_classify_fact *fact,
                                   size_t facts, cairn_base_text *text) {
  const cairn_classify__page page = {analysis, fact, facts};
  return formats[format].write(&page, text);
}

/* ---- the folder ---- */

/* Writes one file of the folder; text NULL: only finds out whether it could.
 * A pipe of this name is none that was asked for. */
static cairn_status put_at(const char *path, const cairn_base_text *text,
                           cairn_base_diag *diag) {
  if (cairn_base_file_is_stream(path)) {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, 0,
                        "cannot write: not a regular file");
    return CAIRN_IO;
  }
  return text ? cairn_base_file_write(path, text->data, text->length, diag)
              : cairn_base__file_can_write(path, diag);
}

static cairn_status put(const char *folder, const char *name,
                        cairn_base_text *text, cairn_status status,
                        cairn_base_diag *diag) {
  cairn_base_text path = {0};
  if (status == CAIRN_OK) {
    cairn_base_text_addf(&path, "%s/%s", folder, name);
    status = path.failed || (text && text->failed)
                 ? CAIRN_NOMEM
                 : put_at(path.data, text, diag);
  }
  cairn_base_text_free(&path);
  if (text)
    cairn_base__text_clear(text);
  return status;
}

static cairn_status make_folder(const char *folder, cairn_base_diag *diag) {
  if (mkdir(folder, 0777) == 0 || errno == EEXIST)
    return CAIRN_OK;
  cairn_base_diag_error(diag, "%s: cannot make the folder: %s", folder,
                        strerror(errno));
  return CAIRN_IO;
}

cairn_status cairn_classify_report_can_write(const char *folder,
                                             cairn_base_diag *diag) {
  cairn_status status = make_folder(folder, diag);
  for (size_t i = 0; i < CAIRN_CLASSIFY_FORMATS; i++)
    if (formats[i].file)
      status = put(folder, formats[i].file, NULL, status, diag);
  return status;
}

cairn_status
cairn_classify_report_write(const cairn_classify_analysis *analysis,
                            const cairn_classify_fact *fact, size_t facts,
                            const char *folder, cairn_base_diag *diag) {
  const cairn_classify__page page = {analysis, fact, facts};
  cairn_base_text text = {0};
  cairn_status status = make_folder(folder, diag);
  for (size_t i = 0; i < CAIRN_CLASSIFY_FORMATS && status == CAIRN_OK; i++)
    if (formats[i].file)
      status = put(folder, formats[i].file, &text,
                   formats[i].write(&page, &text), diag);
  cairn_base_text_free(&text);
  return status;
}
