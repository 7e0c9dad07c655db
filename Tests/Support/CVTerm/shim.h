#ifndef REDDOT_CVTERM_SHIM_H
#define REDDOT_CVTERM_SHIM_H
#include <vterm.h>

// A cell's attributes are fields of single bits, and its colours a union: both are told as the numbers of SGR.

// Bit n is set where SGR n is.
static inline unsigned cvt_attributes(const VTermScreenCell *cell) {
  return (cell->attrs.bold ? 1u << 1 : 0) | (cell->attrs.italic ? 1u << 3 : 0) |
         (cell->attrs.underline ? 1u << 4 : 0) | (cell->attrs.blink ? 1u << 5 : 0) |
         (cell->attrs.reverse ? 1u << 7 : 0) | (cell->attrs.strike ? 1u << 9 : 0);
}

// -1 for the terminal's own colour, 0 to 255 for one of its palette, 256 and more for 256 + 0xRRGGBB.
static inline int cvt_color(const VTermColor *color) {
  if (VTERM_COLOR_IS_DEFAULT_FG(color) || VTERM_COLOR_IS_DEFAULT_BG(color)) return -1;
  if (VTERM_COLOR_IS_INDEXED(color)) return color->indexed.idx;
  return 256 + (color->rgb.red << 16 | color->rgb.green << 8 | color->rgb.blue);
}

static inline int cvt_foreground(const VTermScreenCell *cell) { return cvt_color(&cell->fg); }
static inline int cvt_background(const VTermScreenCell *cell) { return cvt_color(&cell->bg); }
#endif
