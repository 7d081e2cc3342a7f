/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/page.c - the frame of a report as one page that needs nothing else: no
 * network, no fonts, no script.
 */
#include "study/plot-private.h"

static const char style[] =
    ":root{--bg:#fff;--fg:#1c2024;--dim:#60686f;--line:#d5dade;--card:#f6f8f9;"
    "--k0:#1f77b4;--k1:#c2412d;--k2:#1a8f5a;--k3:#b98900;--k4:#7a4fc0;"
    "--k5:#6b7280;--k6:#c0478f;--k7:#00868b}\n"
    "@media(prefers-color-scheme:dark){:root{--bg:#14181b;--fg:#e7ebee;"
    "--dim:#9aa4ac;--line:#384047;--card:#1d2327;--k0:#6cb2e6;--k1:#f07c68;"
    "--k2:#3cc48a;--k3:#e0b23c;--k4:#b294ee;--k5:#a3acb4;--k6:#ea86bd;"
    "--k7:#4fc6cb}}\n"
    "*{box-sizing:border-box}body{margin:0 auto;max-width:46rem;padding:1rem;"
    "background:var(--bg);color:var(--fg);font:16px/1.5 system-ui,sans-serif;"
    "overflow-wrap:break-word}\n"
    "h1{font-size:1.5rem;margin:.2em 0}h2{font-size:1.15rem;margin:1.6em 0 "
    ".4em}h3{font-size:1rem;margin:1.2em 0 .3em}p{margin:.5em 0}"
    ".dim{color:var(--dim)}a{color:var(--k0)}\n"
    ".card{background:var(--card);border:1px solid var(--line);"
    "border-radius:8px;padding:.8rem 1rem;margin:.6rem 0}"
    ".scroll{overflow-x:auto}\n"
    "svg{width:100%;height:auto;font:13px system-ui,sans-serif}"
    "svg text{fill:var(--fg)}.axis{fill:none;stroke:var(--dim)}"
    ".grid{stroke:var(--line);stroke-width:.7}.edge{stroke:var(--dim);"
    "stroke-width:.6;opacity:.55}\n"
    ".line{fill:none;stroke-width:2}.thin{stroke-width:1.2;stroke-dasharray:"
    "2 3}.dash{stroke-dasharray:7 3}.band{opacity:.16}.dot{opacity:.75;"
    "stroke:var(--bg);stroke-width:.6}.mark{stroke:var(--fg);stroke-width:2}"
    ".cell{fill:var(--k0)}\n"
    ".k0{fill:var(--k0)}.k1{fill:var(--k1)}.k2{fill:var(--k2)}.k3{fill:"
    "var(--k3)}.k4{fill:var(--k4)}.k5{fill:var(--k5)}.k6{fill:var(--k6)}"
    ".k7{fill:var(--k7)}\n"
    ".s0{stroke:var(--k0)}.s1{stroke:var(--k1)}.s2{stroke:var(--k2)}"
    ".s3{stroke:var(--k3)}.s4{stroke:var(--k4)}.s5{stroke:var(--k5)}"
    ".s6{stroke:var(--k6)}.s7{stroke:var(--k7)}\n"
    "table{border-collapse:collapse;width:100%;font-size:.92rem}th,td{"
    "text-align:right;padding:.25em .6em .25em 0;border-bottom:1px solid "
    "var(--line);white-space:nowrap}th:first-child,td:first-child{"
    "text-align:left}code{font:13px ui-monospace,monospace}\n"
    ".legend{display:flex;flex-wrap:wrap;gap:.2em 1em;list-style:none;"
    "padding:0;margin:.3em 0;font-size:.9rem}.legend svg{width:2em;"
    "height:.7em;margin-right:.35em}\n"
    "@media screen and (max-width:480px){.chart{font-size:15px}}\n"
    "@media print{body{max-width:none;font-size:11pt}svg{break-inside:avoid}"
    ".scroll{overflow:visible}}\n";

void cairn_study__page_open(cairn_base_text *text, const char *title) {
  cairn_base_text_add(
      text, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
            "<meta name=\"viewport\" content=\"width=device-width,"
            "initial-scale=1\"><title>");
  cairn_study__escape(text, title);
  cairn_base_text_add(text, "</title><link rel=\"icon\" href=\"data:,\">"
                            "<style>\n");
  cairn_base_text_add(text, style);
  cairn_base_text_add(text, "</style></head><body>\n<h1>");
  cairn_study__escape(text, title);
  cairn_base_text_add(text, "</h1>\n");
}

void cairn_study__page_close(cairn_base_text *text) {
  cairn_base_text_add(text, "</body></html>\n");
}

void cairn_study__legend(cairn_base_text *text, const char *const *name,
                         size_t count) {
  cairn_base_text_add(text, "<ul class=\"legend\">");
  for (size_t i = 0; i < count; i++) {
    cairn_base_text_addf(
        text,
        "<li><svg viewBox=\"0 0 28 10\" aria-hidden=\"true\"><path "
        "class=\"line s%zu%s\" style=\"stroke-width:4\" d=\"M0 5H28\"/></svg>",
        i % CAIRN_STUDY__COLOURS, i >= CAIRN_STUDY__COLOURS ? " dash" : "");
    cairn_study__escape(text, name[i]);
    cairn_base_text_add(text, "</li>\n");
  }
  cairn_base_text_add(text, "</ul>\n");
}

void cairn_study__numbers(cairn_base_text *text, const char *file) {
  cairn_base_text_addf(
      text, "<p class=\"dim\">The numbers: <a href=\"%s\">%s</a></p>\n", file,
      file);
}
